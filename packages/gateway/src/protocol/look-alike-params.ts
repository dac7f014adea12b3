import { foldKey } from './field-path.ts'
import type { Json } from './messages.ts'

/** The parameters that the protocol defines for requests that are passed on to servers. */
const NAMES: ReadonlySet<string> = new Set([
  'name',
  'arguments',
  '_meta',
  'task',
  'requestState',
  'inputResponses',
  'uri',
  'ref',
  'argument',
  'context',
  'cursor',
])

const FOLDED: ReadonlySet<string> = new Set(Array.from(NAMES, foldKey))

/**
 * Removes parameters whose names only look like protocol names. A server that ignores the case of keys would read
 * `NAME` as `name`, and would call a different tool from the one that was judged.
 */
export function withoutLookAlikes(params: Json | undefined): Json | undefined {
  for (const key in params)
    if (isLookAlike(key))
      return Object.fromEntries(Object.entries(params).filter(([one]) => !isLookAlike(one)))
  return params
}

function isLookAlike(key: string): boolean {
  return !NAMES.has(key) && FOLDED.has(foldKey(key))
}
