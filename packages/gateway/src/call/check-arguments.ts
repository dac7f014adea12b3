import { type ArgumentCheck, compileSchema } from '../arguments/compile-schema.ts'
import { objectToLookAlikes } from '../arguments/look-alikes.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { invalidArguments, uncheckedArguments } from './refusals.ts'

/** Made at a tool's first call and kept as long as its definition is. */
const checks = new WeakMap<CatalogTool, ArgumentCheck>()

/** Arguments are an object, says the protocol; whatever else they were, no rule would look into them. */
export function refuseShapeless({ call, variant }: Classified): Refusal | undefined {
  const { arguments: args } = call.params
  if (args === undefined || isJsonObject(args)) return undefined
  const problem = { field: '', expected: 'an object', schema: { type: 'object' }, problems: 1 }
  return invalidArguments({ tool: call.typed, variant }, problem)
}

/**
 * A call that its server would have to refuse need not reach it. One with more in it than can be checked goes on only if it
 * reads, and is one because its tool is: not because an argument makes it a dry run.
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
  const [fits, isLookAlike] = [compileSchema(inputSchema), objectToLookAlikes(inputSchema)]
  const check: ArgumentCheck = (args, onUnchecked) =>
    fits(args, onUnchecked) ?? isLookAlike(args, onUnchecked)
  checks.set(tool, check)
  return check
}
