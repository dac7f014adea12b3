import { type ArgumentCheck, compileSchema } from '../arguments/compile-schema.ts'
import { compileConversion } from '../arguments/convert-texts.ts'
import { rejectLookAlikes } from '../arguments/look-alikes.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { isDryRun } from './preview.ts'
import { invalidArguments, quarantined, unavailable, uncheckedArguments, unknownTool } from './refusals.ts'

type Target = { readonly server: UpstreamServer; readonly tool: CatalogTool } | { readonly refusal: Refusal }

/**
 * Finds a call's tool. The answer is the same for a tool outside the caller's scope, an unknown tool and an unknown
 * server, so that a caller cannot find out what exists.
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

/**
 * Classifies a call with its arguments in the types that the tool's schema requires. Every later step sees the converted
 * arguments only.
 */
export function classifyConverted(
  given: IncomingCall,
  { tool, server }: { readonly tool: CatalogTool; readonly server: UpstreamServer },
): Classified {
  const { args, paths } = conversionOf(tool)(given.params.arguments)
  if (paths.length === 0 || !server.config.checkArguments) return classify(given, tool)
  const call = { ...given, params: { ...given.params, arguments: args } }
  return { ...classify(call, tool), converted: paths }
}

/** Conversions of arguments, created at a tool's first call and kept as long as its definition. */
const conversions = new WeakMap<CatalogTool, ReturnType<typeof compileConversion>>()

function conversionOf(tool: CatalogTool): ReturnType<typeof compileConversion> {
  const known = conversions.get(tool)
  if (known !== undefined) return known
  const conversion = compileConversion(tool.definition.inputSchema)
  conversions.set(tool, conversion)
  return conversion
}

const MOST_NAMED = 5
const LONGEST_NAME = 80

/** Tells the caller which of its arguments were converted. */
export function notesOf({ converted = [] }: Classified): readonly string[] {
  if (converted.length === 0) return []
  const names = converted.slice(0, MOST_NAMED).map(path => JSON.stringify(path.slice(0, LONGEST_NAME)))
  const others = converted.length - names.length
  const all = others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`
  return [
    `These arguments were texts and were sent as the numbers or booleans that the schema requires: ${all}.`,
  ]
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
  { call, tool, variant }: Classified,
  server: UpstreamServer,
): Refusal | undefined {
  if (!server.config.checkArguments) return undefined
  let isUnchecked = false
  const problem = checkOf(tool)(call.params.arguments, () => {
    isUnchecked = true
  })
  const told = { tool: call.typed, variant }
  if (problem !== undefined) return invalidArguments(told, problem)
  const mayPass = variant === 'call_tool_read' && tool.assessment.variant === 'call_tool_read'
  return isUnchecked && !mayPass ? uncheckedArguments(told) : undefined
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
