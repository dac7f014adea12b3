import { isJsonObject } from '../../protocol/messages.ts'
import { isHandle } from './handle.ts'

/** What `read_result` is asked for. */
export interface ReadRequest {
  readonly handle: string
  readonly cursor?: string
  /** In the unit of the part. */
  readonly limit?: number
  readonly part?: string
}

/** Which argument is wrong, and what to do about it. */
export interface RequestProblem {
  readonly problem: keyof ReadRequest
  readonly text: string
}

/** Parses the arguments of `read_result`. */
export function readRequest(args: unknown): ReadRequest | RequestProblem {
  const { handle, cursor, limit, part } = isJsonObject(args) ? args : {}
  if (!isHandle(handle)) return NO_HANDLE
  if (cursor !== undefined && typeof cursor !== 'string')
    return { problem: 'cursor', text: '`cursor` is the `next` of the page before; leave it out to begin.' }
  if (part !== undefined && typeof part !== 'string')
    return {
      problem: 'part',
      text: '`part` is a JSON Pointer such as "/content/0/text"; leave it out for all.',
    }
  if (limit !== undefined && !isCount(limit))
    return { problem: 'limit', text: '`limit` is a whole number from 1; leave it out for full pages.' }
  return {
    handle,
    ...(cursor === undefined ? {} : { cursor }),
    ...(limit === undefined ? {} : { limit }),
    ...(part === undefined ? {} : { part }),
  }
}

/** The same words for every handle that leads nowhere, so that nobody learns which there are. */
export const NO_HANDLE: RequestProblem = {
  problem: 'handle',
  text: 'No result is kept for you under this handle. Copy it whole from the answer that was cut. Results are kept only for a while, and newer ones take their place: if it is gone, call the tool again where that does no harm.',
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 1
}
