import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import { mayUseTool } from '../tokens/match-scope.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import type { IncomingCall } from './incoming-call.ts'
import type { Refusal } from './outcome.ts'

type Target = { readonly server: UpstreamServer; readonly tool: CatalogTool } | { readonly refusal: Refusal }

/**
 * Finds the tool that is meant. A tool out of the caller's scope, one that does not exist and one of a server that
 * does not exist answer in the same words, so that nobody learns what is there by asking.
 */
export function resolve(call: IncomingCall, { catalog, findServer }: CallDeps): Target | Promise<Target> {
  const server = findServer(call.server)
  const isInScope = mayUseTool(call.exchange.caller.principal.scope, call.server, call.tool)
  if (server === undefined || !isInScope) return { refusal: unknownTool(call) }
  const listed = catalog.ensure(server)
  return listed === undefined ? find(call, server, catalog) : listed.then(() => find(call, server, catalog))
}

function find(call: IncomingCall, server: UpstreamServer, catalog: Catalog): Target {
  const tool = catalog.find(call.server, call.tool)
  if (tool !== undefined) return { server, tool }
  return { refusal: catalog.isKnown(call.server) ? unknownTool(call) : unavailable(call, server) }
}

function unknownTool({ typed }: IncomingCall): Refusal {
  return {
    code: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(typed)} for you to call.`,
    tool: typed,
    verdict: 'deny',
    reasons: [{ rule: 'scope', source: 'token', text: 'no such tool within the scope of this token' }],
    remedy: 'List the tools again; if the tool should be there, ask for a token whose scope includes it.',
  }
}

function unavailable({ typed }: IncomingCall, server: UpstreamServer): Refusal {
  return {
    code: 'upstream_unavailable',
    message: `The server ${JSON.stringify(server.name)} is not available.`,
    tool: typed,
    verdict: 'failed',
    reasons: [
      {
        rule: 'upstream',
        source: server.name,
        text: server.lastFailure?.detail ?? 'its tools could not be listed',
      },
    ],
    remedy: 'Try again in a moment; nothing was executed.',
  }
}
