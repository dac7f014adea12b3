import { mayRetry } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Caller } from '../exchange/exchange.ts'
import { mayCall, mayUseTool } from '../scope/match-scope.ts'

/** What may be seen is what may be called. */
export function isVisible(tool: CatalogTool, { principal }: Caller): boolean {
  return (
    mayUseTool(principal.scope, tool.server, tool.name) && mayCall(principal.scope, tool.assessment.variant)
  )
}

/** What a search leaves out. A filter that is false or absent leaves nothing out. */
export interface Filters {
  readonly servers?: readonly string[]
  readonly category?: 'read' | 'write' | 'delete'
  readonly read_only?: boolean
  readonly exclude_destructive?: boolean
  readonly exclude_open_world?: boolean
  readonly idempotent?: boolean
}

/** Every filter speaks of the effective record: what is only claimed does not count. */
export function passesFilters({ server, assessment }: CatalogTool, filters: Filters): boolean {
  const { effective, category, variant } = assessment
  if (filters.servers !== undefined && !filters.servers.includes(server)) return false
  if (filters.category !== undefined && category !== filters.category) return false
  if (filters.read_only === true && variant !== 'call_tool_read') return false
  if (filters.exclude_destructive === true && variant === 'call_tool_destructive') return false
  if (filters.exclude_open_world === true && effective.openWorld.value) return false
  return filters.idempotent !== true || mayRetry(effective)
}
