import type { Failure } from '../channel/channel.ts'
import { MOST_IN_BATCH } from './read-batch.ts'

export const CLOSED: Failure = { kind: 'unavailable', detail: 'the connection was closed', notSent: false }
export const GARBAGE: Failure = {
  kind: 'protocol',
  detail: 'the server answered with something that is not JSON-RPC',
  notSent: false,
}

export const BATCH_TOO_LONG = unreadable(`the message is a batch of more than ${MOST_IN_BATCH} messages`)

/**
 * Maximum length of a header. Servers close the connection when a header is longer, which would look as if they were
 * down.
 */
export const LONGEST_HEADER = 8192

export const TOO_LONG_FOR_HEADER: Failure = {
  kind: 'protocol',
  detail: `the call was not sent, because its name or one of its arguments must be repeated in an HTTP header and is longer than ${LONGEST_HEADER} characters`,
  notSent: true,
}

export function unreadable(reason: string): Failure {
  return { kind: 'protocol', detail: `the server's answer could not be read: ${reason}`, notSent: false }
}

export const FAULT: Failure = {
  kind: 'protocol',
  detail: "the gateway could not process the server's answer because of an internal error",
  notSent: false,
}
