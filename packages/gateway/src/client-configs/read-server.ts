import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { Client, ReferenceStyle } from './clients.ts'

type Text = readonly Piece[]

/** A client's server, with Hintgate's keys and unresolved references. */
export interface ReadServer {
  readonly command?: Text
  readonly args?: readonly Text[]
  readonly cwd?: Text
  readonly env?: Readonly<Record<string, Text>>
  readonly url?: Text
  readonly headers?: Readonly<Record<string, Text>>
  readonly isSse: boolean
  readonly isDisabled: boolean
  /** The keys that Hintgate does not support. */
  readonly left: readonly string[]
}

const KNOWN = new Set(
  `command args env cwd working_dir url serverUrl httpUrl headers http_headers type transport protocol name
  disabled enabled env_vars bearer_token_env_var env_http_headers created updated quarantined trust`.split(
    /\s+/,
  ),
)

/**
 * Reads the keys of any client. Clients use different names for the same thing, but no name means different things in
 * two clients, except for Gemini's `url`, which means the older SSE transport unless `type` says otherwise.
 */
export function readServer(
  entry: Json,
  client: Client,
  references: ReferenceContext,
): ReadServer | undefined {
  const pieces = (value: unknown): Text => readPieces(String(value), client.references, references)
  const text = (key: string) => (typeof entry[key] === 'string' ? pieces(entry[key]) : undefined)
  const command = text('command')
  const url = text('url') ?? text('serverUrl') ?? text('httpUrl')
  if (command === undefined && url === undefined) return undefined
  const cwd = text('cwd') ?? text('working_dir')
  const args = Array.isArray(entry.args) ? entry.args.map(pieces) : []
  const env = { ...textsOf(entry.env, pieces), ...passedOn(entry.env_vars) }
  const headers = {
    ...textsOf(entry.headers ?? entry.http_headers, pieces),
    ...variablesOf(entry.env_http_headers),
    ...bearerOf(entry.bearer_token_env_var),
  }
  return {
    ...(command !== undefined && { command, args, env, ...(cwd !== undefined && { cwd }) }),
    ...(command === undefined && url !== undefined && { url, headers }),
    isSse: isOlder(entry, client),
    isDisabled: entry.disabled === true || entry.enabled === false,
    left: Object.keys(entry).filter(key => !KNOWN.has(key)),
  }
}

function isOlder(entry: Json, client: Client): boolean {
  const type = entry.type ?? entry.transport ?? entry.protocol
  return type === 'sse' || (client.id === 'gemini' && entry.url !== undefined && type === undefined)
}

function textsOf(value: unknown, pieces: (value: unknown) => Text): Record<string, Text> {
  const members = isJsonObject(value) ? Object.entries(value) : []
  return Object.fromEntries(
    members.filter(([, held]) => held !== null).map(([key, held]) => [key, pieces(held)]),
  )
}

/** Reads Codex's list of variables that a server gets from Codex's own environment. */
function passedOn(names: unknown): Record<string, Text> {
  const given = Array.isArray(names) ? names.filter(name => typeof name === 'string') : []
  return Object.fromEntries(given.map(name => [name, [{ kind: 'variable', name }]]))
}

function variablesOf(value: unknown): Record<string, Text> {
  const members = isJsonObject(value) ? Object.entries(value) : []
  return Object.fromEntries(members.map(([key, name]) => [key, [{ kind: 'variable', name: String(name) }]]))
}

function bearerOf(name: unknown): Record<string, Text> {
  if (typeof name !== 'string') return {}
  return {
    Authorization: [
      { kind: 'text', text: 'Bearer ' },
      { kind: 'variable', name },
    ],
  }
}

export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string }
  /** A reference in Hintgate's syntax. It is kept unchanged. */
  | { readonly kind: 'ours'; readonly text: string }
  /** A variable that only the client can resolve, such as `${input:key}`. */
  | { readonly kind: 'foreign'; readonly text: string }

export interface ReferenceContext {
  readonly homeDir: string
  /** The value of `${workspaceFolder}`; undefined for a file that belongs to no project. */
  readonly project?: string | undefined
}

const PATTERNS: Readonly<Record<Exclude<ReferenceStyle, 'none'>, RegExp>> = {
  shell: /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
  dollar: /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
  editor: /\$\{([^}]*)\}/g,
}

/**
 * @example
 * readPieces('Bearer ${KEY}', 'shell', { homeDir: '/home/ada' })
 * // => [{ kind: 'text', text: 'Bearer ' }, { kind: 'variable', name: 'KEY' }]
 */
export function readPieces(
  value: string,
  style: ReferenceStyle,
  references: ReferenceContext,
): readonly Piece[] {
  if (style === 'none') return textOf(value)
  const pieces: Piece[] = []
  let end = 0
  for (const match of value.matchAll(PATTERNS[style])) {
    pieces.push(...textOf(value.slice(end, match.index)), readReference(match, style, references))
    end = match.index + match[0].length
  }
  return [...pieces, ...textOf(value.slice(end))]
}

function readReference(match: RegExpMatchArray, style: ReferenceStyle, references: ReferenceContext): Piece {
  const [whole, first = '', second] = match
  if (style === 'editor') return readWord(whole, first, references)
  if (style === 'dollar') return { kind: 'variable', name: first === '' ? (second ?? '') : first }
  return { kind: 'variable', name: first, ...(second !== undefined && { fallback: second }) }
}

function readWord(whole: string, word: string, { homeDir, project }: ReferenceContext): Piece {
  const variable = /^env:([A-Za-z_]\w*)$/.exec(word)?.[1]
  if (variable !== undefined) return { kind: 'variable', name: variable }
  if (word === 'userHome') return { kind: 'text', text: homeDir }
  if (word === '/' || word === 'pathSeparator') return { kind: 'text', text: '/' }
  if (word === 'workspaceFolder' && project !== undefined) return { kind: 'text', text: project }
  return { kind: 'foreign', text: whole }
}

function textOf(text: string): readonly Piece[] {
  return text === '' ? [] : [{ kind: 'text', text }]
}
