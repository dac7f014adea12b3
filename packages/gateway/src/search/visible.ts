import type { CatalogTool } from '../catalog/catalog.ts'
import type { Caller } from '../exchange/exchange.ts'
import { mayCall, mayUseTool } from '../scope/match-scope.ts'

/** What may be seen is what may be called. */
export function isVisible(tool: CatalogTool, { principal }: Caller): boolean {
  return (
    mayUseTool(principal.scope, tool.server, tool.name) && mayCall(principal.scope, tool.assessment.variant)
  )
}
