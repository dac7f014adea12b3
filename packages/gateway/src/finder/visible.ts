import type { Caller } from '../call/exchange.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { mayCall, mayUseTool } from '../tokens/match-scope.ts'

/** What may be seen is what may be called. */
export function isVisible(tool: CatalogTool, { principal }: Caller): boolean {
  return (
    mayUseTool(principal.scope, tool.server, tool.name) && mayCall(principal.scope, tool.assessment.variant)
  )
}
