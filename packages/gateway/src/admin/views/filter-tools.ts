import { HINT_NAMES, kindOfVariant } from '@hintgate/metadata'
import type { Input } from '../contract/contract.ts'
import { AdminProblem } from '../http/problem.ts'
import type { ToolRow } from './tool-table.ts'

type Query = Input<'listTools'>['query']
type Test = (row: ToolRow) => boolean

/** The rows that are asked for, in the order that is asked for. */
export function filterTools(rows: readonly ToolRow[], query: Query): readonly ToolRow[] {
  const tests = [...testsOf(query), ...testHint(query)]
  const found = rows.filter(row => tests.every(test => test(row)))
  return sort(found, query.sort ?? 'id')
}

function testsOf({ query, server, state, variant }: Query): readonly Test[] {
  const words =
    query
      ?.toLowerCase()
      .split(/\s+/)
      .filter(word => word !== '') ?? []
  return [
    ...(server === undefined ? [] : [(row: ToolRow) => row.item.stored.server === server]),
    ...(state === undefined ? [] : [(row: ToolRow) => row.state === state]),
    ...(variant === undefined ? [] : [(row: ToolRow) => kindOfVariant(row.assessment.variant) === variant]),
    ...words.map(word => (row: ToolRow) => textOf(row).includes(word)),
  ]
}

function textOf({ id, assessment, item }: ToolRow): string {
  const { description } = item.definition
  return `${id} ${assessment.title} ${typeof description === 'string' ? description : ''}`.toLowerCase()
}

function testHint({ hint, source }: Query): readonly Test[] {
  if (hint === undefined && source === undefined) return []
  const [typed, value] = hint?.split('=') ?? []
  const names = HINT_NAMES.filter(name => typed === undefined || name === typed)
  if (names.length === 0 || (value !== undefined && value !== 'true' && value !== 'false'))
    throw new AdminProblem(
      'invalid_request',
      `query.hint: expected ${HINT_NAMES.join(', ')}, with =true or =false`,
    )
  return [
    ({ assessment: { effective } }) =>
      names.some(name => {
        const known = effective[name]
        return (
          (value === undefined || String(known.value) === value) && (source ?? known.source) === known.source
        )
      }),
  ]
}

const STATES = ['changed', 'pending', 'rejected', 'disabled', 'approved']

function sort(rows: readonly ToolRow[], order: NonNullable<Query['sort']>): readonly ToolRow[] {
  const sign = order.startsWith('-') ? -1 : 1
  const key = order.replace('-', '')
  const rank = (row: ToolRow): number =>
    key === 'risk' ? row.assessment.riskLevel : key === 'state' ? STATES.indexOf(row.state) : 0
  return rows.toSorted(
    (a, b) => sign * (rank(a) - rank(b) || (key === 'id' ? compare(a.id, b.id) : 0)) || compare(a.id, b.id),
  )
}

function compare(a: string, b: string): number {
  return a === b ? 0 : a < b ? -1 : 1
}
