import type { AuditFilter, AuditRow } from '../audit-store.ts'
import { type Marks, packedField } from './pack-rows.ts'
import type { Shape } from './shape.ts'

const FIELDS = ['agent', 'server', 'tool', 'variant', 'verdict', 'outcome', 'code'] as const

type Field = (typeof FIELDS)[number]

/**
 * What calls are looked for by, and rare enough to lead there. Every value of these is a page of the database that a
 * batch touches, so what nearly every call has is left out, and so is what a batch has many of.
 */
const LEADING: readonly Field[] = ['agent', 'verdict', 'outcome', 'code']
const USUAL: Readonly<Partial<Record<Field, string>>> = { verdict: 'allow', outcome: 'answered', code: '' }

/** What stands beside a chunk, to tell without opening it that it is not worth it. */
const BESIDE: readonly Field[] = ['server', 'tool', 'variant']
const BETWEEN = '\u001f'

/** What chunks are found by; `shapes` are those of rows that end a call. */
export function facetsOf(shapes: Iterable<Shape>): string[] {
  return namesOf(shapes, LEADING)
}

/** Everything else that calls are looked for by, as one text. */
export function aboutOf(shapes: Iterable<Shape>): string {
  return `${BETWEEN}${namesOf(shapes, BESIDE).join(BETWEEN)}${BETWEEN}`
}

/** Whether a text beside a chunk has all names of another one in it, and each of them where `patternsFor` looks for it. */
export function tellsAllOf(about: string, other: string): boolean {
  return other.split(BETWEEN).every(name => name === '' || about.includes(`${BETWEEN}${name}${BETWEEN}`))
}

function namesOf(shapes: Iterable<Shape>, fields: readonly Field[]): string[] {
  const names = new Set<string>()
  for (const shape of shapes)
    for (const field of fields) if (shape[field] !== USUAL[field]) names.add(`${field}:${shape[field]}`)
  return [...names]
}

/** Which facets a chunk must have for anything that is looked for to be in it. */
export function facetsFor(filter: AuditFilter): string[] {
  return LEADING.flatMap(field => {
    const value = filter[field]
    return value === undefined || value === USUAL[field] ? [] : [`${field}:${value}`]
  })
}

/** Patterns (`like`) that the text beside such a chunk matches. Others may match, too. */
export function patternsFor(filter: AuditFilter): string[] {
  return BESIDE.flatMap(field => {
    const value = filter[field]
    // A backslash has a meaning in patterns of some databases; any character will do in its place.
    return value === undefined ? [] : [`%${BETWEEN}${field}:${value.replaceAll('\\', '_')}${BETWEEN}%`]
  })
}

/** What packed rows that are looked for have in them. Others may have it, too. */
export function marksFor(filter: AuditFilter): Marks {
  return {
    shape: FIELDS.flatMap(field => {
      const value = filter[field]
      return value === undefined ? [] : [packedField(value)]
    }),
  }
}

/** A call that ended, and as it is looked for. */
export function isWanted(row: AuditRow, { since, until, ...equal }: AuditFilter): boolean {
  if (row.kind === 'intent') return false
  if ((since !== undefined && row.at < since) || (until !== undefined && row.at >= until)) return false
  return FIELDS.every(field => equal[field] === undefined || equal[field] === row[field])
}
