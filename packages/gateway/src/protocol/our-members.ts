import { isJsonObject, type Json } from './messages.ts'
import { nameOf } from './name-of.ts'

/** Everything under this name is ours to say. */
const OURS = 'io.hintgate/'
/** But for what servers say that are made with our toolkit. */
const THEIRS: ReadonlySet<string> = new Set([`${OURS}effects`, `${OURS}mediatype`])
/** And what authors say of their tools in our vocabulary. */
const AUTHORS: ReadonlySet<string> = new Set([`${OURS}metadata`, `${OURS}hints`, `${OURS}preview`])

function isOurs(key: string, theirs: ReadonlySet<string>): boolean {
  const name = nameOf(key)
  return name.startsWith(OURS) && !theirs.has(name)
}

/** The same object where nothing in it is ours, as nearly always. */
export function withoutOurs(said: Json): Json
export function withoutOurs(said: unknown): unknown
export function withoutOurs(said: unknown): unknown {
  return keepTheirs(said, THEIRS)
}

/** A definition without what its author cannot have to say of it, such as how we would treat it. */
export function definedByAuthor(definition: Json): Json {
  const remarks = Object.keys(definition).filter(key => nameOf(key) === '_meta')
  const own = remarks.map(key => [key, keepTheirs(definition[key], AUTHORS)] as const)
  return { ...definition, ...Object.fromEntries(own) }
}

function keepTheirs(said: unknown, theirs: ReadonlySet<string>): unknown {
  if (!isJsonObject(said) || !Object.keys(said).some(key => isOurs(key, theirs))) return said
  return Object.fromEntries(Object.entries(said).filter(([key]) => !isOurs(key, theirs)))
}

/** What we have to say in it. */
export function onlyOurs(said: unknown): Json {
  return isJsonObject(said)
    ? Object.fromEntries(Object.entries(said).filter(([key]) => isOurs(key, THEIRS)))
    : {}
}
