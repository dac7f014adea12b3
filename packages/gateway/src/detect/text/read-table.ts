const KINDS = {
  text: isText,
  texts: (value: unknown) => isListOf(value, isText) && String(value) !== '',
  pattern: isPattern,
  number: isNumber,
  numbers: (value: unknown) => isListOf(value, isNumber),
} as const

interface Values {
  readonly text: string
  readonly texts: readonly string[]
  readonly pattern: string
  readonly number: number
  readonly numbers: readonly number[]
}

type Kind = keyof Values

/** The keys of a row with their types. A `?` after the type marks an optional key. */
type Shape = Readonly<Record<string, Kind | `${Kind}?`>>

type Row<S extends Shape> = {
  readonly [Key in keyof S as S[Key] extends Kind ? Key : never]: Values[S[Key] & Kind]
} & {
  readonly [Key in keyof S as S[Key] extends Kind ? never : Key]?: S[Key] extends `${infer K extends Kind}?`
    ? Values[K]
    : never
}

/**
 * Checks and returns the rows of a data file. An invalid row makes the start of the gateway fail with an error that
 * names the file, the row and the problem.
 * @example
 * readTable('a.json', [{ id: 'x' }], { id: 'text', note: 'text?' })
 */
export function readTable<const S extends Shape>(
  file: string,
  rows: readonly unknown[],
  shape: S,
): readonly Row<S>[] {
  return rows.map((row, at) => {
    const problem = findProblem(row, shape)
    if (problem === undefined) return row as Row<S>
    throw new Error(`${file}: row ${at + 1} (${JSON.stringify(row).slice(0, 60)}): ${problem}`)
  })
}

function findProblem(row: unknown, shape: Shape): string | undefined {
  if (typeof row !== 'object' || row === null) return 'is not an object'
  const members = new Map<string, unknown>(Object.entries(row))
  for (const key of members.keys())
    if (!Object.hasOwn(shape, key)) return `unknown key "${key}"; use one of ${Object.keys(shape).join(', ')}`
  for (const [key, wanted] of Object.entries(shape)) {
    const kind = wanted.replace('?', '') as Kind
    const isMissing = !members.has(key)
    if (isMissing && kind === wanted) return `"${key}" is missing`
    if (!isMissing && !KINDS[kind](members.get(key))) return `"${key}" is not of type ${kind}`
  }
  return undefined
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== ''
}

function isNumber(value: unknown): boolean {
  return typeof value === 'number'
}

function isListOf(value: unknown, isOne: (item: unknown) => boolean): boolean {
  return Array.isArray(value) && value.every(isOne)
}

function isPattern(value: unknown): boolean {
  try {
    return isText(value) && new RegExp(String(value)) instanceof RegExp
  } catch {
    return false
  }
}
