import type { AuditFilter, AuditRow } from '../audit-store.ts'
import { type Marks, packedField } from './pack-rows.ts'
import type { Shape } from './shape.ts'

const FIELDS = ['agent', 'server', 'tool', 'variant', 'verdict', 'outcome', 'code'] as const

type Field = (typeof FIELDS)[number]

/**
 * Searchable fields that have an index. Each value takes a database page per batch. Therefore values that nearly every
 * call has, and fields with many values per batch, have no index.
 */
const LEADING: readonly Field[] = ['agent', 'verdict', 'outcome', 'code']
const USUAL: Readonly<Partial<Record<Field, string>>> = { verdict: 'allow', outcome: 'answered', code: '' }

/** Fields whose values are also stored next to a chunk, so that a query can skip the chunk without unpacking it. */
const BESIDE: readonly Field[] = ['server', 'tool', 'variant']
const BETWEEN = '\u001f'

/** Returns the index keys of a chunk. `shapes` are the shapes of rows that end a call. */
export function facetsOf(shapes: Iterable<Shape>): string[] {
  return namesOf(shapes, LEADING)
}

/** Returns all other searchable values as one text. */
export function aboutOf(shapes: Iterable<Shape>): string {
  return `${BETWEEN}${namesOf(shapes, BESIDE).join(BETWEEN)}${BETWEEN}`
}

/** Whether the text next to a chunk contains all values of another such text, in a form that `patternsFor` matches. */
export function containsAll(about: string, other: string): boolean {
  return other.split(BETWEEN).every(name => name === '' || about.includes(`${BETWEEN}${name}${BETWEEN}`))
}

function namesOf(shapes: Iterable<Shape>, fields: readonly Field[]): string[] {
  const names = new Set<string>()
  for (const shape of shapes)
    for (const field of fields) if (shape[field] !== USUAL[field]) names.add(`${field}:${shape[field]}`)
  return [...names]
}

/** Returns the index keys that a chunk must have if it contains a match. */
export function facetsFor(filter: AuditFilter): string[] {
  return LEADING.flatMap(field => {
    const value = filter[field]
    return value === undefined || value === USUAL[field] ? [] : [`${field}:${value}`]
  })
}

/**
 * Returns `like` patterns for the text next to a chunk. Every chunk with a match has a text that matches them; other
 * chunks can match, too.
 */
export function patternsFor(filter: AuditFilter): string[] {
  return BESIDE.flatMap(field => {
    const value = filter[field]
    // The pattern accepts any character in place of a backslash, which has a special meaning in the patterns of some
    // databases.
    return value === undefined ? [] : [`%${BETWEEN}${field}:${value.replaceAll('\\', '_')}${BETWEEN}%`]
  })
}

/** Returns substrings that every packed row that matches the filter contains. Other rows can contain them, too. */
export function marksFor(filter: AuditFilter): Marks {
  return {
    shape: FIELDS.flatMap(field => {
      const value = filter[field]
      return value === undefined ? [] : [packedField(value)]
    }),
  }
}

/** Whether a row ends a call and matches the filter. */
export function isWanted(row: AuditRow, { since, until, also, ...equal }: AuditFilter): boolean {
  if (row.kind === 'intent') return false
  if ((since !== undefined && row.at < since) || (until !== undefined && row.at >= until)) return false
  const isEqual = FIELDS.every(field => equal[field] === undefined || equal[field] === row[field])
  return isEqual && (also === undefined || also(row))
}
