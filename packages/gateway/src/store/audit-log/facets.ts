import type { AuditFilter, AuditRow } from '../audit-store.ts'
import { type Marks, packedField } from './pack-rows.ts'
import type { Shape } from './shape.ts'

const FIELDS = ['agent', 'server', 'tool', 'variant', 'verdict', 'outcome', 'code'] as const

type Field = (typeof FIELDS)[number]

/**
 * Searchable fields that have an index. Each value takes a database page per batch, so values that nearly every call
 * has, and fields with many values per batch, are left out.
 */
const LEADING: readonly Field[] = ['agent', 'verdict', 'outcome', 'code']
const USUAL: Readonly<Partial<Record<Field, string>>> = { verdict: 'allow', outcome: 'answered', code: '' }

/** Fields whose values are stored beside a chunk, so that a query can skip the chunk without unpacking it. */
const BESIDE: readonly Field[] = ['server', 'tool', 'variant']
const BETWEEN = '\u001f'

/** The index keys of a chunk; `shapes` are those of rows that end a call. */
export function facetsOf(shapes: Iterable<Shape>): string[] {
  return namesOf(shapes, LEADING)
}

/** All other searchable values, as one text. */
export function aboutOf(shapes: Iterable<Shape>): string {
  return `${BETWEEN}${namesOf(shapes, BESIDE).join(BETWEEN)}${BETWEEN}`
}

/** True if the text beside a chunk contains all values of another one in a form that `patternsFor` matches. */
export function containsAll(about: string, other: string): boolean {
  return other.split(BETWEEN).every(name => name === '' || about.includes(`${BETWEEN}${name}${BETWEEN}`))
}

function namesOf(shapes: Iterable<Shape>, fields: readonly Field[]): string[] {
  const names = new Set<string>()
  for (const shape of shapes)
    for (const field of fields) if (shape[field] !== USUAL[field]) names.add(`${field}:${shape[field]}`)
  return [...names]
}

/** The index keys that a chunk must have to contain a match. */
export function facetsFor(filter: AuditFilter): string[] {
  return LEADING.flatMap(field => {
    const value = filter[field]
    return value === undefined || value === USUAL[field] ? [] : [`${field}:${value}`]
  })
}

/** `like` patterns that the text beside a matching chunk matches. Other chunks can match too. */
export function patternsFor(filter: AuditFilter): string[] {
  return BESIDE.flatMap(field => {
    const value = filter[field]
    // A backslash has a special meaning in some databases' patterns, so any character is accepted in its place.
    return value === undefined ? [] : [`%${BETWEEN}${field}:${value.replaceAll('\\', '_')}${BETWEEN}%`]
  })
}

/** Substrings of packed rows that match the filter. Other rows can contain them too. */
export function marksFor(filter: AuditFilter): Marks {
  return {
    shape: FIELDS.flatMap(field => {
      const value = filter[field]
      return value === undefined ? [] : [packedField(value)]
    }),
  }
}

/** True if the row ends a call and matches the filter. */
export function isWanted(row: AuditRow, { since, until, also, ...equal }: AuditFilter): boolean {
  if (row.kind === 'intent') return false
  if ((since !== undefined && row.at < since) || (until !== undefined && row.at >= until)) return false
  const isEqual = FIELDS.every(field => equal[field] === undefined || equal[field] === row[field])
  return isEqual && (also === undefined || also(row))
}
