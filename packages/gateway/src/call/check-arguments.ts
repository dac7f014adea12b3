import { type ArgumentCheck, type ArgumentProblem, compileSchema } from '../arguments/compile-schema.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { objectToLookAlikes } from './look-alike-arguments.ts'

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

function uncheckedArguments({ tool, variant }: Pick<Refusal, 'tool' | 'variant'>): Refusal {
  const text = 'they are too much to be checked against the schema'
  return {
    code: 'invalid_arguments',
    message: `The arguments of ${JSON.stringify(tool)}: ${text}.`,
    tool,
    ...(variant === undefined ? {} : { variant }),
    verdict: 'deny',
    reasons: [{ rule: 'arguments.schema', source: 'tool', text }],
    remedy:
      'Send less at once: fewer fields, shorter lists, or shorter texts where the schema has a pattern.',
    field: '',
  }
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

/** Says which field, what was expected, and shows the part of the schema that says so. */
export function invalidArguments(
  { tool, variant }: Pick<Refusal, 'tool' | 'variant'>,
  { field, expected, schema, problems }: ArgumentProblem,
): Refusal {
  const where = field === '' ? 'The arguments' : `The argument ${JSON.stringify(field)}`
  const more = problems > 1 ? ` (and ${problems - 1} more)` : ''
  return {
    code: 'invalid_arguments',
    message: `${where} of ${JSON.stringify(tool)}: expected ${expected}${more}.`,
    tool,
    ...(variant === undefined ? {} : { variant }),
    verdict: 'deny',
    reasons: [{ rule: 'arguments.schema', source: 'tool', text: `expected ${expected}` }],
    remedy: `The schema says: ${JSON.stringify(schema)}`,
    field,
    expected,
    schema,
  }
}
