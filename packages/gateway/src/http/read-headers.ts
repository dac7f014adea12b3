const NAMES = [
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
  'expect',
  'last-event-id',
  'accept',
] as const

type KnownName = (typeof NAMES)[number]

/**
 * The headers that are needed to check a request. One pass finds them; Node would parse all headers of every request.
 */
export type KnownHeaders = Readonly<Record<KnownName, string | undefined>>

const NONE = Object.fromEntries(NAMES.map(name => [name, undefined])) as KnownHeaders

/** The known names, grouped by length. Comparing a few names of the same length is cheaper than a lookup in a map. */
const byLength: readonly (readonly KnownName[])[] = Array.from({ length: 32 }, (_, length) =>
  NAMES.filter(name => name.length === length),
)

function recognise(spelt: string): KnownName | undefined {
  const names = byLength[spelt.length]
  if (names === undefined || names.length === 0) return undefined
  for (const name of names) if (spelt === name) return name
  const lower = spelt.toLowerCase()
  return names.find(name => name === lower)
}

/**
 * Reads the known headers. If one of them is repeated, the result is its name instead, because different programs could
 * read such a request differently. Only `accept` can be repeated, as a list.
 */
export function readHeaders(raw: readonly string[]): KnownHeaders | string {
  const found = { ...NONE }
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = recognise(raw[at] ?? '')
    if (name === undefined) continue
    const value = raw[at + 1] ?? ''
    const before = found[name]
    if (before !== undefined && name !== 'accept') return name
    found[name] = before === undefined ? value : `${before}, ${value}`
  }
  return found
}
