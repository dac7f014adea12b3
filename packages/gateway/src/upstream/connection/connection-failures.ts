import type { Failure } from '../channel/channel.ts'
import { MOST_IN_BATCH } from './read-batch.ts'

export const CLOSED: Failure = { kind: 'unavailable', detail: 'the connection was closed', notSent: false }
export const GARBAGE: Failure = {
  kind: 'protocol',
  detail: 'the server answered with something that is not JSON-RPC',
  notSent: false,
}

export const BATCH_TOO_LONG = unreadable(`it is a batch of more than ${MOST_IN_BATCH} messages`)

/** Servers hang up on longer ones, and then it would look as if they were not there. */
export const LONGEST_HEADER = 8192

export const TOO_LONG_FOR_HEADER: Failure = {
  kind: 'protocol',
  detail: `it was not sent: a name or an argument that has to stand in a header has more than ${LONGEST_HEADER} characters`,
  notSent: true,
}

export function unreadable(reason: string): Failure {
  return { kind: 'protocol', detail: `the answer of the server cannot be read: ${reason}`, notSent: false }
}

export const FAULT: Failure = { kind: 'protocol', detail: 'its answer could not be read', notSent: false }
