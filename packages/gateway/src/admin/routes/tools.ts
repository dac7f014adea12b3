import { HINT_NAMES, kindOfVariant } from '@hintgate/metadata'
import { findVersion, isObjection } from '../../catalog/review/find-definition.ts'
import { idOf, readDefinitionOf } from '../../catalog/review/review-item.ts'
import { approvedBesides } from '../../catalog/review/sheet.ts'
import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import type { Input } from '../contract/contract.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import { type Handlers, pageOf } from '../http/handler.ts'
import { AdminProblem, orMissing } from '../http/problem.ts'
import { describeTool, describeToolPage } from '../views/describe-tool.ts'
import { describeDiff, noDiff } from '../views/describe-waiting.ts'
import { listCalls } from '../views/list-calls.ts'
import type { Table, ToolRow, ToolTable } from '../views/tool-table.ts'

export interface Named {
  readonly server: string
  readonly name: string
}

const LAST_CALLS = 20

export function createToolHandlers(deps: AdminDeps, tools: ToolTable) {
  return {
    async listTools({ query }) {
      const { rows, scans } = await tools.load()
      return pageOf(filterTools(rows, query), query, row => describeTool(row, scans))
    },
    async getTool({ params }) {
      const table = await tools.load()
      const row = findRow(table, params)
      const overrides = await deps.store.overrides.history(params.server, params.name)
      const { server, name: tool } = params
      const calls = await listCalls(deps.store.audit, { server, tool, limit: LAST_CALLS })
      return describeToolPage(table, row, { overrides, calls: calls.items, sets: deps.sets() })
    },
    async getToolVersion({ params }) {
      const version = versionOf(findStored(await tools.load(), params), params.fingerprint)
      const { fingerprint, firstSeenAt, lastSeenAt, review } = version
      const definition = { ...readDefinitionOf(version) }
      return { fingerprint, firstSeenAt, lastSeenAt, review, definition }
    },
    async diffTool({ params, query }) {
      const stored = findStored(await tools.load(), params)
      const to = versionOf(stored, query.to)
      const from = query.from === undefined ? approvedBesides(stored, to) : versionOf(stored, query.from)
      return from === undefined ? noDiff(to) : describeDiff(from, to)
    },
  } satisfies Partial<Handlers>
}

export function findRow({ byId }: Table, named: Named): ToolRow {
  return orMissing(byId.get(idOf(named)), `There is no tool ${idOf(named)}.`)
}

/** Finds a stored tool, including one that its server no longer has. */
function findStored({ desk }: Table, { server, name }: Named): StoredDefinition {
  const found = desk.known.find(one => one.kind === 'tool' && one.server === server && one.name === name)
  return orMissing(found, `There is no tool ${idOf({ server, name })}.`)
}

function versionOf(stored: StoredDefinition, fingerprint: string | undefined): DefinitionVersion {
  const version = findVersion(stored, fingerprint)
  if (isObjection(version)) throw new AdminProblem('not_found', version.message)
  return version
}

type Query = Input<'listTools'>['query']

function filterTools(rows: readonly ToolRow[], query: Query): readonly ToolRow[] {
  const { server, state, variant, query: text = '' } = query
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  const fitsHint = testHint(query)
  const found = rows.filter(
    row =>
      (server ?? row.item.stored.server) === row.item.stored.server &&
      (state ?? row.state) === row.state &&
      (variant === undefined || kindOfVariant(row.assessment.variant) === variant) &&
      words.every(word => textOf(row).includes(word)) &&
      fitsHint(row),
  )
  return sort(found, query.sort ?? 'id')
}

function textOf({ id, assessment, item }: ToolRow): string {
  const { description } = item.definition
  return `${id} ${assessment.title} ${typeof description === 'string' ? description : ''}`.toLowerCase()
}

function testHint({ hint, source }: Query): (row: ToolRow) => boolean {
  if (hint === undefined && source === undefined) return () => true
  const [typed, value] = hint?.split('=') ?? []
  const names = HINT_NAMES.filter(name => typed === undefined || name === typed)
  if (names.length === 0 || (value !== undefined && value !== 'true' && value !== 'false'))
    throw new AdminProblem(
      'invalid_request',
      `query.hint: expected one of ${HINT_NAMES.join(', ')}, alone or followed by =true or =false`,
    )
  return ({ assessment: { effective } }) =>
    names
      .map(name => effective[name])
      .some(
        known =>
          (value ?? String(known.value)) === String(known.value) && (source ?? known.source) === known.source,
      )
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
