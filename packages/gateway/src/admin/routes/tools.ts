import { findVersion, isObjection } from '../../catalog/review/find-definition.ts'
import { idOf, readDefinitionOf } from '../../catalog/review/review-item.ts'
import { approvedBesides } from '../../catalog/review/sheet.ts'
import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import type { AdminDeps } from '../http/admin-deps.ts'
import type { Handlers } from '../http/handler.ts'
import { pageOf } from '../http/page.ts'
import { AdminProblem } from '../http/problem.ts'
import { describeDiff, noDiff } from '../views/describe-diff.ts'
import { describeTool } from '../views/describe-tool.ts'
import { describeToolPage } from '../views/describe-tool-page.ts'
import { filterTools } from '../views/filter-tools.ts'
import { listCalls } from '../views/list-calls.ts'
import type { Table, ToolRow, ToolTable } from '../views/tool-table.ts'

interface Named {
  readonly server: string
  readonly name: string
}

const LAST_CALLS = 20

/** Looking at tools. */
export function createToolHandlers(
  deps: AdminDeps,
  tools: ToolTable,
): Pick<Handlers, 'listTools' | 'getTool' | 'getToolVersion' | 'diffTool'> {
  return {
    async listTools({ query }) {
      const { rows, scans } = await tools.load()
      return pageOf(filterTools(rows, query), query, row => describeTool(row, scans))
    },
    async getTool({ params }) {
      const table = await tools.load()
      const row = findRow(table, params)
      const overrides = await deps.store.overrides.history(params.server, params.name)
      const calls = await listCalls(deps.store.audit, {
        server: params.server,
        tool: params.name,
        limit: LAST_CALLS,
      })
      return describeToolPage(table, row, { overrides, calls: calls.items })
    },
    async getToolVersion({ params }) {
      const version = versionOf(findStored(await tools.load(), params), params.fingerprint)
      const { fingerprint, firstSeenAt, lastSeenAt, review } = version
      const definition = { ...readDefinitionOf(version) }
      return { fingerprint, firstSeenAt, lastSeenAt, ...(review === undefined ? {} : { review }), definition }
    },
    async diffTool({ params, query }) {
      const stored = findStored(await tools.load(), params)
      const to = versionOf(stored, query.to)
      const from = query.from === undefined ? approvedBesides(stored, to) : versionOf(stored, query.from)
      return from === undefined ? noDiff(to) : describeDiff(from, to)
    },
  }
}

export function findRow({ byId }: Table, named: Named): ToolRow {
  const row = byId.get(idOf(named))
  if (row === undefined) throw new AdminProblem('not_found', `There is no tool ${idOf(named)}.`)
  return row
}

/** Also one that its server no longer has. */
function findStored({ desk }: Table, { server, name }: Named): StoredDefinition {
  const found = desk.known.find(one => one.kind === 'tool' && one.server === server && one.name === name)
  if (found === undefined)
    throw new AdminProblem('not_found', `There never was a tool ${idOf({ server, name })}.`)
  return found
}

function versionOf(stored: StoredDefinition, fingerprint: string | undefined): DefinitionVersion {
  const version = findVersion(stored, fingerprint)
  if (isObjection(version)) throw new AdminProblem('not_found', version.message)
  return version
}
