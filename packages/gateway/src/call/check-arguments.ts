import { showUntrusted } from '@hintgate/metadata'
import {
  type ArgumentCheck,
  type ArgumentProblem,
  compileSchema,
  MAX_SCHEMA,
} from '../arguments/compile-schema.ts'
import { cutJson } from '../arguments/cut-json.ts'
import type { Step } from '../arguments/finding.ts'
import { type Place, SchemaOutline } from '../arguments/outline-schema.ts'
import { showPath } from '../arguments/show-path.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { foldKey } from '../protocol/field-path.ts'
import { isJsonObject } from '../protocol/messages.ts'
import { exactDigits } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

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
  const [fits, isLookAlike] = [compileSchema(inputSchema, exactDigits), objectToLookAlikes(inputSchema)]
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

type Path = readonly Step[]

/**
 * Objects to arguments that differ from one of the tool's by case alone, at any depth. Some servers read `Path` for
 * `path`, and of both the last: what was said of `path`, by a policy or by the schema, would not have been said of what
 * is done.
 */
export function objectToLookAlikes(inputSchema: unknown): ArgumentCheck {
  if (!isJsonObject(inputSchema)) return () => undefined
  const outline = new SchemaOutline(inputSchema, foldKey)
  return (args, onUnchecked) => {
    const whole = outline.begin()
    const found = whole && findLookAlike(args, whole, [])
    if (found === undefined && outline.isSpent) onUnchecked?.()
    return found
  }
}

function findLookAlike(value: unknown, place: Place, path: Path): ArgumentProblem | undefined {
  if (Array.isArray(value)) return findInList(value, place, path)
  if (!isJsonObject(value)) return undefined
  for (const key in value) {
    if (place.isSpent) return undefined
    const meant = place.has(key) ? undefined : place.resembling(key)
    if (meant !== undefined) return object(meant, place, [...path, key])
    const part = value[key]
    if (typeof part !== 'object' || part === null) continue
    const inside = place.at(key)
    const found = inside && findLookAlike(part, inside, [...path, key])
    if (found !== undefined) return found
  }
  return undefined
}

function findInList(list: readonly unknown[], place: Place, path: Path): ArgumentProblem | undefined {
  // Where nobody says what its items are, a server may take them for the thing itself.
  const inside = place.inList() ?? place
  for (const [index, item] of list.entries()) {
    if (typeof item !== 'object' || item === null) continue
    const found = findLookAlike(item, inside, [...path, index])
    if (found !== undefined) return found
  }
  return undefined
}

function object(meant: string, place: Place, path: Path): ArgumentProblem {
  const expected = `the spelling "${showUntrusted(meant, 64)}"`
  const schema = cutJson(place.schemaOf(meant), { limit: MAX_SCHEMA, digitsOf: exactDigits })
  return { field: showPath(path), expected, schema, problems: 1 }
}
