import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { isDryRun } from './preview.ts'
import { quarantined, unavailable, unknownTool } from './refusals.ts'

type Target = { readonly server: UpstreamServer; readonly tool: CatalogTool } | { readonly refusal: Refusal }

/**
 * Finds the tool that is meant. A tool out of the caller's scope, one that does not exist and one of a server that
 * does not exist answer in the same words, so that nobody learns what is there by asking.
 */
export function findTool(call: IncomingCall, deps: CallDeps): Target | Promise<Target> {
  const { catalog, findServer } = deps
  const server = findServer(call.server)
  const isInScope = mayUseTool(call.exchange.caller.principal.scope, call.server, call.tool)
  if (server === undefined || !isInScope) return { refusal: unknownTool(call.typed) }
  const listed = catalog.ensure(server)
  return listed === undefined ? find(call, server, deps) : listed.then(() => find(call, server, deps))
}

function find(call: IncomingCall, server: UpstreamServer, deps: CallDeps): Target {
  const { catalog } = deps
  if (!catalog.isVerified(server)) return { refusal: unavailable(call, server, deps) }
  const tool = catalog.find(call.server, call.tool)
  if (tool !== undefined) return { server, tool }
  const isHeld = catalog.findHeld(call.server, call.tool) !== undefined
  return { refusal: isHeld ? quarantined(call.typed) : unknownTool(call.typed) }
}

export function classify(call: IncomingCall, tool: CatalogTool): Classified {
  const isDry = call.isPreview === true && isDryRun(call, tool.definition)
  const variant = isDry ? 'call_tool_read' : tool.assessment.variant
  return { call, tool, variant }
}
