/** The headers a door looks at. Node would sort out all of them for every request; these are found in one pass. */
export interface KnownHeaders {
  readonly host: string | undefined
  readonly origin: string | undefined
  readonly authorization: string | undefined
  readonly 'content-type': string | undefined
  readonly 'content-length': string | undefined
  readonly 'mcp-session-id': string | undefined
  readonly 'mcp-protocol-version': string | undefined
  readonly 'mcp-method': string | undefined
  readonly 'mcp-name': string | undefined
  readonly expect: string | undefined
  readonly 'last-event-id': string | undefined
  /** The only one that may be there more than once: then it is a list in pieces. */
  readonly accept: string | undefined
}

type KnownName = keyof KnownHeaders

const KNOWN: readonly KnownName[] = [
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
]
const ACCEPT = KNOWN.indexOf('accept')
const OTHER = -1

/** By how many letters they have, the places of those in the list: to compare is less work than to look up. */
const byLength: readonly (readonly number[])[] = Array.from({ length: 32 }, (_, length) =>
  KNOWN.flatMap((name, place) => (name.length === length ? [place] : [])),
)

function recognise(spelt: string): number {
  const places = byLength[spelt.length] ?? []
  for (const place of places) if (spelt === KNOWN[place]) return place
  if (places.length === 0) return OTHER
  const name = spelt.toLowerCase()
  for (const place of places) if (name === KNOWN[place]) return place
  return OTHER
}

/** Any of these twice would mean two readings of one request; then the name of the first such is the answer. */
export function readHeaders(raw: readonly string[]): KnownHeaders | string {
  const found: (string | undefined)[] = KNOWN.map(() => undefined)
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const place = recognise(raw[at] ?? '')
    if (place === OTHER) continue
    const value = raw[at + 1] ?? ''
    const before = found[place]
    if (before !== undefined && place !== ACCEPT) return KNOWN[place] ?? ''
    found[place] = before === undefined ? value : `${before}, ${value}`
  }
  const [host, origin, authorization, type, length, session, version, method, name, expect, event, accept] =
    found
  return {
    host,
    origin,
    authorization,
    'content-type': type,
    'content-length': length,
    'mcp-session-id': session,
    'mcp-protocol-version': version,
    'mcp-method': method,
    'mcp-name': name,
    expect,
    'last-event-id': event,
    accept,
  }
}
