import type { Caller } from '../call/exchange.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import { writeJson } from '../protocol/parse-json.ts'
import { inEraOf, type Origin } from './answer-call.ts'
import type { Answer } from './surface.ts'

/** The answer to `tools/list`, put together from definitions that were written once. */
export function listAnswer(tools: readonly string[], caller: Caller, origin: Origin | undefined): Answer {
  const frame = inEraOf(caller, 'tools/list', {}, origin)
  const rest = writeJson('result' in frame ? frame.result : {}).slice(1)
  return { written: `{"tools":[${tools.join(',')}]${rest === '}' ? '' : ','}${rest}` }
}

export type Written = WeakMap<CatalogTool, string>

/** A tool's definition as text, kept as long as the tool is. */
export function writeTool(tool: CatalogTool, written: Written, name = tool.name): string {
  const known = written.get(tool)
  if (known !== undefined) return known
  const text = writeJson(name === tool.name ? tool.shown : { ...tool.shown, name })
  written.set(tool, text)
  return text
}
