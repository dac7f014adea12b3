import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/classified.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { quoteFailure, whenAgain } from './explain-no-answer.ts'
import { isDryRun } from './preview.ts'

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

/** Says nothing but what the caller typed: what the definition says now is what nobody has looked at yet. */
function quarantined(typed: string): Refusal {
  return {
    code: 'quarantined',
    message: `The tool ${JSON.stringify(typed)} waits for review.`,
    tool: typed,
    verdict: 'deny',
    reasons: [{ rule: 'quarantine', source: 'catalog', text: 'this version of it was not approved' }],
    remedy: 'Ask the operator to review it: hintgate tools review.',
  }
}

function unavailable({ typed }: IncomingCall, server: UpstreamServer, deps: CallDeps): Refusal {
  return {
    code: 'upstream_unavailable',
    message: `The server ${JSON.stringify(server.name)} is not available.`,
    tool: typed,
    verdict: 'failed',
    reasons: [
      {
        rule: 'upstream',
        source: server.name,
        text: quoteFailure(server, deps) ?? 'its tools could not be listed',
      },
    ],
    remedy: `Nothing was executed; ${whenAgain(server.refusal ?? {})}.`,
  }
}

export function classify(call: IncomingCall, tool: CatalogTool): Classified {
  const variant = isDryRun(call, tool.definition) ? 'call_tool_read' : tool.assessment.variant
  return { call, tool, variant }
}

/** What is longer is no name, and would be sent back several times. */
const LONGEST_SHOWN = 300

/** The same words whether a tool does not exist or is out of the caller's scope: nobody learns what is there by asking. */
export function unknownTool(typed: string, meant?: string): Refusal {
  const tool = typed.length <= LONGEST_SHOWN ? typed : `${typed.slice(0, LONGEST_SHOWN)}…`
  const remedy = 'List the tools again; if the tool should be there, ask for a token whose scope includes it.'
  return {
    code: 'unknown_tool',
    message: `There is no tool ${JSON.stringify(tool)} for you to call.`,
    tool,
    verdict: 'deny',
    reasons: [{ rule: 'scope', source: 'token', text: 'no such tool within the scope of this token' }],
    remedy: meant === undefined ? remedy : `Did you mean ${JSON.stringify(meant)}? ${remedy}`,
  }
}
