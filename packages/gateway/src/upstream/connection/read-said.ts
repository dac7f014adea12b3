import { type Id, isJsonObject, type Json } from '../../protocol/messages.ts'
import { type Parsed, parseJson } from '../../protocol/parse-json.ts'
import { hasTooManyNames } from './too-many-names.ts'

const MAX_DEPTH = 200
/** Ten megabytes of rows have as many; what has more takes seconds to take apart. */
const MAX_MEMBERS = 600_000
/** In lists, of all kinds. */
const MAX_ITEMS = 1_800_000
/** Far more than anything has that somebody thought of. */
const MAX_NAMES = 100_000

/** What a server said, as far as we take anything apart. */
export function readSaid(text: string): Parsed {
  if (hasTooManyNames(text, MAX_NAMES))
    return { ok: false, reason: `it has more than ${MAX_NAMES} different names` }
  return parseJson(text, MAX_DEPTH, MAX_MEMBERS, MAX_ITEMS)
}

/** Which request it answers, badly: whoever waits for that need not wait any longer. */
export function answeredId(value: unknown): Id | undefined {
  const { id, method }: Json = isJsonObject(value) ? value : {}
  return method === undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}
