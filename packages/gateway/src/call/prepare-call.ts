import { compileConversion } from '../arguments/convert-texts.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Refusal } from '../exchange/outcome.ts'
import { classify, type Found, refuseNonObject } from './match-tool.ts'
import { fixArguments } from './toolset/fix-arguments.ts'

interface Prepared {
  readonly classified: Classified
  /** Set if the arguments are not an object, or if one of them is set by the toolset. */
  readonly refusal?: Refusal
}

/** Returns a call as it is judged and sent: with the arguments that its toolset fixes, in the types that its tool requires. */
export function prepareCall(given: IncomingCall, target: Found): Prepared {
  const fixed = fixArguments(given, target.offered)
  const classified = classifyConverted('call' in fixed ? fixed.call : given, target)
  const refusal = 'refusal' in fixed ? fixed.refusal : refuseNonObject(classified)
  return refusal === undefined ? { classified } : { classified, refusal }
}

/**
 * Classifies a call with its arguments in the types that the tool's schema requires. Every later step sees the converted
 * arguments only.
 */
function classifyConverted(given: IncomingCall, { tool, server, offered }: Found): Classified {
  const { args, paths } = conversionOf(tool)(given.params.arguments)
  if (paths.length === 0 || !server.config.checkArguments) return classify(given, tool, offered)
  const call = { ...given, params: { ...given.params, arguments: args } }
  return { ...classify(call, tool, offered), converted: paths }
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

/** Returns notes that tell the caller which of its arguments were converted. */
export function notesOf({ converted = [] }: Classified): readonly string[] {
  if (converted.length === 0) return []
  const names = converted.slice(0, MOST_NAMED).map(path => JSON.stringify(path.slice(0, LONGEST_NAME)))
  const others = converted.length - names.length
  const all = others === 0 ? names.join(', ') : `${names.join(', ')} and ${others} more`
  return [
    `These arguments were strings and were sent as the numbers or booleans that the schema requires: ${all}.`,
  ]
}
