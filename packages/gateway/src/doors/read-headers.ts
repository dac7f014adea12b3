/** The headers a door looks at. Node would sort out all of them for every request; these are found in one pass. */
export interface KnownHeaders {
  host?: string
  origin?: string
  authorization?: string
  'content-type'?: string
  'content-length'?: string
  'mcp-session-id'?: string
  'mcp-protocol-version'?: string
  'mcp-method'?: string
  'mcp-name'?: string
}

type KnownName = keyof KnownHeaders

const KNOWN: ReadonlySet<string> = new Set<KnownName>([
  'host',
  'origin',
  'authorization',
  'content-type',
  'content-length',
  'mcp-session-id',
  'mcp-protocol-version',
  'mcp-method',
  'mcp-name',
])

/** Names as they were spelt → as we know them, or null. Clients spell them alike, so this stays small. */
const spellings = new Map<string, KnownName | null>()

function recognise(spelt: string): KnownName | null {
  const remembered = spellings.get(spelt)
  if (remembered !== undefined) return remembered
  const name = spelt.toLowerCase()
  const known = KNOWN.has(name) ? (name as KnownName) : null
  if (spellings.size < 1000) spellings.set(spelt, known)
  return known
}

/** Any of these twice would mean two readings of one request; then the name of the first such is the answer. */
export function readHeaders(raw: readonly string[]): KnownHeaders | string {
  const headers: KnownHeaders = {}
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = recognise(raw[at] ?? '')
    if (name === null) continue
    if (headers[name] !== undefined) return name
    headers[name] = raw[at + 1] ?? ''
  }
  return headers
}
