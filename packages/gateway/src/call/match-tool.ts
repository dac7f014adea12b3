import { type ArgumentCheck, compileSchema } from '../arguments/compile-schema.ts'
import { rejectLookAlikes } from '../arguments/look-alikes.ts'
import { isFor } from '../catalog/app-of-tool.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { mayUseEndpoint, mayUseTool } from '../scope/match-scope.ts'
import type { SetTool } from '../sets/present-tool.ts'
import type { Toolset } from '../sets/toolset.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { isDryRun } from './confirmation/preview.ts'
import { invalidArguments, quarantined, unavailable, uncheckedArguments, unknownTool } from './refusals.ts'

type Target = Found | { readonly refusal: Refusal }

export interface Found {
  readonly server: UpstreamServer
  readonly tool: CatalogTool
  /** How the call's toolset offers the tool. */
  readonly offered?: SetTool
}

/**
 * Finds a call's tool. The answer is the same for a tool outside the caller's scope, an unknown tool and an unknown
 * server, so that a caller cannot find out what exists.
 */
export function findTool(call: IncomingCall, deps: CallDeps): Target | Promise<Target> {
  const { catalog, findServer } = deps
  const server = findServer(call.server)
  const { scope } = call.exchange.caller.principal
  // In a toolset, nothing is said about the state of a server that the set cannot offer.
  const isInSet = mayUseEndpoint(scope, call.set?.name) && call.set?.includesServer(call.server) !== false
  const isInScope = isInSet && mayUseTool(scope, call.server, call.tool)
  if (server === undefined || !isInScope) return { refusal: unknownTool(call.typed) }
  const listed = catalog.ensure(server)
  return listed === undefined ? find(call, server, deps) : listed.then(() => find(call, server, deps))
}

function find(call: IncomingCall, server: UpstreamServer, deps: CallDeps): Target {
  const { catalog } = deps
  if (!catalog.isVerified(server)) return { refusal: unavailable(call, server, deps) }
  if (call.set !== undefined) return findInSet(call, server, call.set)
  const tool = catalog.find(call.server, call.tool)
  // A tool that is only for apps does not exist for models.
  if (tool !== undefined && !isReached(tool, call)) return { refusal: unknownTool(call.typed) }
  if (tool !== undefined) return { server, tool }
  const isHeld = catalog.findHeld(call.server, call.tool) !== undefined
  return { refusal: isHeld ? quarantined(call.typed) : unknownTool(call.typed) }
}

/** Finds the tool that a toolset offers under the name in a call. Every other tool is unknown there. */
function findInSet(call: IncomingCall, server: UpstreamServer, set: Toolset): Target {
  const offered = set.find(call.typed)
  if (offered === undefined)
    return { refusal: set.isHeld(call.typed) ? quarantined(call.typed) : unknownTool(call.typed) }
  const { tool } = offered
  const isMeant = tool.server === call.server && tool.name === call.tool && isReached(tool, call)
  return isMeant ? { server, tool, offered } : { refusal: unknownTool(call.typed) }
}

function isReached(tool: CatalogTool, { isForApps = false }: IncomingCall): boolean {
  return isForApps || isFor('model', tool)
}

export function classify(call: IncomingCall, tool: CatalogTool, offered?: SetTool): Classified {
  const isDry = call.isPreview === true && isDryRun(call, tool.definition)
  const variant = isDry ? 'call_tool_read' : tool.assessment.variant
  return offered === undefined ? { call, tool, variant } : { call, tool, variant, offered }
}

/** Argument checks, created at a tool's first call and kept as long as its definition. */
const checks = new WeakMap<CatalogTool, ArgumentCheck>()

/** Refuses arguments that are not an object. The protocol requires an object, and the rules can check nothing else. */
export function refuseNonObject({ call, variant }: Classified): Refusal | undefined {
  const { arguments: args } = call.params
  if (args === undefined || isJsonObject(args)) return undefined
  const problem = { field: '', expected: 'an object', schema: { type: 'object' }, problems: 1 }
  return invalidArguments({ tool: call.typed, variant }, problem)
}

/**
 * Refuses arguments that do not match the tool's schema. If there are more arguments than can be checked, the call
 * continues only if the tool is read-only; it is not enough that the call is a dry run.
 */
export function checkArguments(
  { call, tool, variant, offered }: Classified,
  server: UpstreamServer,
): Refusal | undefined {
  if (!server.config.checkArguments) return undefined
  if (offered !== undefined && offered.closed.length > 0) {
    // The problem is described in terms of the schema that the agent sees, not of the whole one.
    const problem = checkOf(offered.shown)(openArguments(call.params.arguments, offered.closed))
    if (problem !== undefined) return invalidArguments({ tool: call.typed, variant }, problem)
  }
  let isUnchecked = false
  const problem = checkOf(tool)(call.params.arguments, () => {
    isUnchecked = true
  })
  const told = { tool: call.typed, variant }
  if (problem !== undefined) return offered?.closed.length ? misfit(told) : invalidArguments(told, problem)
  const mayPass = variant === 'call_tool_read' && tool.assessment.variant === 'call_tool_read'
  return isUnchecked && !mayPass ? uncheckedArguments(told) : undefined
}

function openArguments(args: unknown, closed: readonly string[]): unknown {
  if (!isJsonObject(args)) return args
  return Object.fromEntries(Object.entries(args).filter(([name]) => !closed.includes(name)))
}

/** Refuses arguments that fit the shown schema, but not the tool's own schema together with the fixed ones. */
function misfit(told: Pick<Refusal, 'tool' | 'variant'>): Refusal {
  const expected = 'arguments that fit those that this toolset sets'
  return invalidArguments(told, { field: '', expected, schema: {}, problems: 1 })
}

function checkOf(tool: CatalogTool): ArgumentCheck {
  const known = checks.get(tool)
  if (known !== undefined) return known
  const { inputSchema } = tool.definition
  const [fits, isLookAlike] = [compileSchema(inputSchema), rejectLookAlikes(inputSchema)]
  const check: ArgumentCheck = (args, onUnchecked) =>
    fits(args, onUnchecked) ?? isLookAlike(args, onUnchecked)
  checks.set(tool, check)
  return check
}
