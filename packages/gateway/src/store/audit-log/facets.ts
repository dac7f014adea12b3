import type { AuditFilter, AuditRow } from '../audit-store.ts'
import { packedField } from './pack-rows.ts'

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

/** What chunks with these rows are found by. */
export function facetsOf(rows: readonly AuditRow[]): string[] {
  return namesOf(rows, LEADING)
}

/** Everything else that calls in these rows are looked for by, as one text. */
export function aboutOf(rows: readonly AuditRow[]): string {
  return `${BETWEEN}${namesOf(rows, BESIDE).join(BETWEEN)}${BETWEEN}`
}

/** On the path of every call, and therefore without a list or a set more than it takes. */
function namesOf(rows: readonly AuditRow[], fields: readonly Field[]): string[] {
  const names: string[] = []
  for (const field of fields) {
    const usual = USUAL[field]
    let before = usual
    let others: Set<string> | undefined
    for (const row of rows) {
      const value = row[field]
      // Calls that come together are much alike.
      if (value === before || value === usual || row.kind === 'intent') continue
      before = value
      if (others?.has(value)) continue
      others ??= new Set()
      others.add(value)
      names.push(`${field}:${value}`)
    }
  }
  return names
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

/** Whether a packed row may be one that is looked for. */
export function createGuess(filter: AuditFilter): (packed: string) => boolean {
  const marks = FIELDS.flatMap(field => {
    const value = filter[field]
    return value === undefined ? [] : [packedField(value)]
  })
  return packed => marks.every(mark => packed.includes(mark))
}

/** A call that ended, and as it is looked for. */
export function isWanted(row: AuditRow, { since, until, ...equal }: AuditFilter): boolean {
  if (row.kind === 'intent') return false
  if ((since !== undefined && row.at < since) || (until !== undefined && row.at >= until)) return false
  return FIELDS.every(field => equal[field] === undefined || equal[field] === row[field])
}
