import { mayRetry } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Caller } from '../exchange/exchange.ts'
import { mayCall, mayUseTool } from '../scope/match-scope.ts'

/** Whether a caller can see a tool. That is the case exactly if the caller is allowed to call it. */
export function isVisible(tool: CatalogTool, { principal }: Caller): boolean {
  return (
    mayUseTool(principal.scope, tool.server, tool.name) && mayCall(principal.scope, tool.assessment.variant)
  )
}

/** The filters of a search. A filter that is false or undefined excludes nothing. */
export interface Filters {
  readonly servers?: readonly string[]
  readonly category?: 'read' | 'write' | 'delete'
  readonly read_only?: boolean
  readonly exclude_destructive?: boolean
  readonly exclude_open_world?: boolean
  readonly idempotent?: boolean
}

/**
 * Whether a tool passes the filters. The filters use the effective record, so that a claim that is not vouched for does
 * not count.
 */
export function passesFilters({ server, assessment }: CatalogTool, filters: Filters): boolean {
  const { effective, category, variant } = assessment
  if (filters.servers !== undefined && !filters.servers.includes(server)) return false
  if (filters.category !== undefined && category !== filters.category) return false
  if (filters.read_only === true && variant !== 'call_tool_read') return false
  if (filters.exclude_destructive === true && variant === 'call_tool_destructive') return false
  if (filters.exclude_open_world === true && effective.openWorld.value) return false
  return filters.idempotent !== true || mayRetry(effective)
}
