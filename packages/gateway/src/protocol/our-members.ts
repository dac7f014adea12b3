import { isJsonObject, type Json } from './messages.ts'
import { nameOf } from './name-of.ts'

/** Everything under this name is ours to say. */
const OURS = 'io.hintgate/'
/** But for what servers say that are made with our toolkit. */
const THEIRS: ReadonlySet<string> = new Set([`${OURS}effects`, `${OURS}mediatype`])

function isOurs(key: string): boolean {
  const name = nameOf(key)
  return name.startsWith(OURS) && !THEIRS.has(name)
}

/** The same object where nothing in it is ours, as nearly always. */
export function withoutOurs(said: Json): Json
export function withoutOurs(said: unknown): unknown
export function withoutOurs(said: unknown): unknown {
  if (!isJsonObject(said) || !Object.keys(said).some(isOurs)) return said
  return Object.fromEntries(Object.entries(said).filter(([key]) => !isOurs(key)))
}

/** What we have to say in it. */
export function onlyOurs(said: unknown): Json {
  return isJsonObject(said) ? Object.fromEntries(Object.entries(said).filter(([key]) => isOurs(key))) : {}
}
