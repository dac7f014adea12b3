/** A stretch of a value in a client's file. */
export type Piece =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'variable'; readonly name: string; readonly fallback?: string }
  /** A reference in our own words, to stay as it is. */
  | { readonly kind: 'ours'; readonly text: string }
  /** Something that only the client knows, such as `${input:key}`. */
  | { readonly kind: 'foreign'; readonly text: string }

/**
 * How a client's file refers to the environment: not at all; `${NAME}` with an optional `:-default` (shell); `$NAME` and
 * `${NAME}` (dollar); `${env:NAME}` beside other words of the editor (editor).
 */
export type ReferenceStyle = 'none' | 'shell' | 'dollar' | 'editor'

export interface Surroundings {
  readonly homeDir: string
  /** What `${workspaceFolder}` is; absent in a file that belongs to no project. */
  readonly project?: string | undefined
}

const PATTERNS: Readonly<Record<Exclude<ReferenceStyle, 'none'>, RegExp>> = {
  shell: /\$\{([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
  dollar: /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*))/g,
  editor: /\$\{([^}]*)\}/g,
}

/**
 * Takes a value of a client's file apart.
 *
 * @example
 * readPieces('Bearer ${KEY}', 'shell', { homeDir: '/home/ada' })
 * // => [{ kind: 'text', text: 'Bearer ' }, { kind: 'variable', name: 'KEY' }]
 */
export function readPieces(value: string, style: ReferenceStyle, around: Surroundings): readonly Piece[] {
  if (style === 'none') return textOf(value)
  const pieces: Piece[] = []
  let end = 0
  for (const match of value.matchAll(PATTERNS[style])) {
    pieces.push(...textOf(value.slice(end, match.index)), readReference(match, style, around))
    end = match.index + match[0].length
  }
  return [...pieces, ...textOf(value.slice(end))]
}

function readReference(match: RegExpMatchArray, style: ReferenceStyle, around: Surroundings): Piece {
  const [whole, first = '', second] = match
  if (style === 'editor') return readWord(whole, first, around)
  if (style === 'dollar') return { kind: 'variable', name: first === '' ? (second ?? '') : first }
  return { kind: 'variable', name: first, ...(second !== undefined && { fallback: second }) }
}

function readWord(whole: string, word: string, { homeDir, project }: Surroundings): Piece {
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
