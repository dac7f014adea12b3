import type { Failure } from '../channel/channel.ts'
import { MOST_IN_BATCH } from './read-batch.ts'

export const CLOSED: Failure = { kind: 'unavailable', detail: 'the connection was closed', notSent: false }
export const GARBAGE: Failure = {
  kind: 'protocol',
  detail: 'the server answered with something that is not JSON-RPC',
  notSent: false,
}

export const BATCH_TOO_LONG = unreadable(`it is a batch of more than ${MOST_IN_BATCH} messages`)

/** Servers close the connection on longer headers, which looks as if they were down. */
export const LONGEST_HEADER = 8192

export const TOO_LONG_FOR_HEADER: Failure = {
  kind: 'protocol',
  detail: `it was not sent, because a name or an argument that goes into a header has more than ${LONGEST_HEADER} characters`,
  notSent: true,
}

export function unreadable(reason: string): Failure {
  return { kind: 'protocol', detail: `the answer of the server is unreadable: ${reason}`, notSent: false }
}

export const FAULT: Failure = { kind: 'protocol', detail: 'the gateway failed on its answer', notSent: false }
