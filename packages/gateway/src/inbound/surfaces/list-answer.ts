import type { Caller } from '../../exchange/exchange.ts'
import type { Answer } from '../../exchange/surface.ts'
import type { Json } from '../../protocol/messages.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { inEraOf, type Origin } from './answer-call.ts'

/**
 * Maximum number of cached lists. It can be small, because most agents share a few scopes, and a list of a thousand
 * tools takes half a megabyte.
 */
const MAX_KEPT = 16

interface Kept {
  readonly origin: Origin | undefined
  readonly answer: Answer
}

/**
 * Caches answers to `tools/list`, as bytes. The key is the caller's scope, because visibility depends on nothing else.
 * The surface clears the cache when the tools change.
 */
export class ListAnswers {
  readonly #kept = new Map<string, Kept>()
  #written = new WeakMap<object, string>()

  forget(): void {
    this.#kept.clear()
    this.#written = new WeakMap()
  }

  answer(caller: Caller, origin: Origin | undefined, listTools: () => readonly ShownTool[]): Answer {
    const key = `${caller.era} ${JSON.stringify(caller.principal.scope)}`
    const kept = this.#kept.get(key)
    if (kept !== undefined && kept.origin === origin) return kept.answer
    const answer = this.#write(caller, origin, listTools())
    if (this.#kept.size >= MAX_KEPT) this.#kept.clear()
    this.#kept.set(key, { origin, answer })
    return answer
  }

  #write(caller: Caller, origin: Origin | undefined, tools: readonly ShownTool[]): Answer {
    const frame = inEraOf(caller, 'tools/list', {}, origin)
    const rest = writeJson('result' in frame ? frame.result : {}).slice(1)
    const list = tools.map(tool => this.#writeTool(tool)).join(',')
    return { bytes: Buffer.from(`{"tools":[${list}]${rest === '}' ? '' : ','}${rest}`) }
  }

  /** Returns a definition as JSON text, which is cached as long as the tool exists. */
  #writeTool({ tool, shown }: ShownTool): string {
    const known = this.#written.get(tool)
    if (known !== undefined) return known
    const text = writeJson(shown)
    this.#written.set(tool, text)
    return text
  }
}

/**
 * A tool with the definition that the surface shows. The same tool has the same definition until the surface clears its
 * cache.
 */
export interface ShownTool {
  readonly tool: object
  readonly shown: Json
}
