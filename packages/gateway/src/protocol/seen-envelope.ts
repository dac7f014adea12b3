import { isJsonObject, type Json } from './messages.ts'

const CAPABILITIES: ReadonlySet<string> = new Set([
  ...['roots', 'listChanged', 'sampling', 'tools', 'context', 'elicitation', 'form', 'url', 'applyDefaults'],
  ...['tasks', 'list', 'cancel', 'requests', 'create', 'createMessage'],
])
const LONG_NAME = 64

/** What a client can do, as far as nobody can put words into it: names of capabilities in capabilities, and nothing else. */
export function seenCapabilities(value: unknown): Json {
  if (!isJsonObject(value)) return {}
  const seen = Object.entries(value).flatMap(([key, part]) => {
    if (!CAPABILITIES.has(key) || (typeof part !== 'boolean' && !isJsonObject(part))) return []
    return [[key, isJsonObject(part) ? seenCapabilities(part) : part]]
  })
  return Object.fromEntries(seen) as Json
}

/** Whether there are only such names. */
export function hasOnlyNames(value: unknown): boolean {
  if (typeof value === 'boolean') return true
  if (!isJsonObject(value)) return false
  for (const key in value) if (!CAPABILITIES.has(key) || !hasOnlyNames(value[key])) return false
  return true
}

/** What a client is called, and in which version, cut. */
export function seenClientInfo(
  value: unknown,
): { readonly name: string; readonly version: string } | undefined {
  return isJsonObject(value) ? { name: cut(value.name), version: cut(value.version) } : undefined
}

function cut(text: unknown): string {
  return typeof text === 'string' ? text.slice(0, LONG_NAME) : ''
}
