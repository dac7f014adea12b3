/** What a member of a row may hold. */
const KINDS = {
  text: isText,
  texts: (value: unknown) => isListOf(value, isText) && String(value) !== '',
  pattern: isPattern,
  number: isNumber,
  numbers: (value: unknown) => isListOf(value, isNumber),
} as const

type Kind = keyof typeof KINDS

/** Every member that a row can have; one with `?` may be left out. */
export type Shape<Row> = { readonly [Key in keyof Row]-?: Kind | `${Kind}?` }

/**
 * The rows of a data file. They are ours, so whoever wrote a wrong one hears of it when the program starts: which file, which row,
 * and what is wrong with it.
 *
 * @example
 * readTable<{ id: string; note?: string }>('a.json', [{ id: 'x' }], { id: 'text', note: 'text?' })
 */
export function readTable<Row extends object>(
  file: string,
  rows: readonly unknown[],
  shape: Shape<Row>,
): readonly Row[] {
  return rows.map((row, at) => {
    const problem = findProblem(row, new Map(Object.entries<string>(shape)))
    if (problem === undefined) return row as Row
    throw new Error(`${file}: row ${at + 1} (${JSON.stringify(row).slice(0, 60)}): ${problem}`)
  })
}

function findProblem(row: unknown, shape: ReadonlyMap<string, string>): string | undefined {
  if (typeof row !== 'object' || row === null) return 'is no object'
  const members = new Map<string, unknown>(Object.entries(row))
  for (const key of members.keys())
    if (!shape.has(key)) return `has no "${key}"; possible are ${[...shape.keys()].join(', ')}`
  for (const [key, wanted] of shape) {
    const kind = wanted.replace('?', '') as Kind
    const isMissing = !members.has(key)
    if (isMissing && kind === wanted) return `"${key}" is missing`
    if (!isMissing && !KINDS[kind](members.get(key))) return `"${key}" is no ${kind}`
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
