import { type ArgumentCheck, compileSchema } from '../../../arguments/compile-schema.ts'
import { handleCall } from '../../../call/handle-call.ts'
import { invalidArguments } from '../../../call/refusals.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import type { Outcome, Refusal } from '../../../exchange/outcome.ts'
import type {
  Answer,
  Description,
  RequestDetails,
  Surface,
  WatchedResources,
} from '../../../exchange/surface.ts'
import type { Claim, Intent } from '../../../policy/facts/intent.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../../protocol/messages.ts'
import { answerOf, inEraOf, type Origin } from '../answer-call.ts'
import { withLinks } from '../front-of-servers.ts'
import { nameCall } from '../name-call.ts'
import { METHOD_NOT_FOUND } from '../pass-on.ts'
import { answerBatch } from './answer-batch.ts'
import { FindingTools, noSuchTool, notPermitted, type SearchDeps } from './finding-tools.ts'
import type { ReadBatch } from './read-in-parallel.ts'
import { SEARCH_TOOLS, type SearchTool } from './search-tools.ts'

const INSTRUCTIONS =
  'Find tools with retrieve_tools; call each with the tool that its call_with names, its id as name and its arguments as args.'

const CHECKS: ReadonlyMap<string, ArgumentCheck> = new Map(
  SEARCH_TOOLS.map(({ name, definition }) => [name, compileSchema(definition.inputSchema)]),
)

/** Offers a few tools that find and call all others. Calls pass the same checks as on the other surfaces. */
export class SearchSurface implements Omit<Surface, 'watchTasks'> {
  readonly #deps: SearchDeps
  readonly #origin: Origin
  readonly #finding: FindingTools

  constructor(deps: SearchDeps) {
    this.#deps = deps
    this.#origin = { serverInfo: deps.serverInfo }
    this.#finding = new FindingTools(deps)
  }

  async describe(caller: Caller): Promise<Description> {
    const { serverInfo, front } = this.#deps
    const capabilities = { tools: {}, ...front.capabilitiesFor(caller) }
    return { capabilities, serverInfo, instructions: INSTRUCTIONS }
  }

  async handle(exchange: Exchange): Promise<Answer> {
    const { method, caller } = exchange
    if (method === 'tools/call') return this.#callTool(exchange)
    if (method === 'tools/list') return this.#listTools(caller)
    if (method === 'ping' && caller.era === 'legacy') return { result: {} }
    return this.#deps.front.handle(exchange) ?? { error: METHOD_NOT_FOUND }
  }

  receive(): void {}

  /** The surface's own tools never change, so all notifications are about resources and prompts. */
  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
    return this.#deps.front.watch(caller, onNotification)
  }

  admit(wanted: RequestDetails): Promise<RpcError | undefined> {
    return this.#deps.front.admit(wanted)
  }

  watchResources(caller: Caller, uris: readonly string[]): WatchedResources {
    return this.#deps.front.watchResources(caller, uris)
  }

  checkParamHeaders(): undefined {
    return undefined
  }

  release(caller: Caller): void {
    for (const server of this.#deps.servers()) server.release(caller.session)
  }

  #listTools(caller: Caller): Answer {
    const tools = SEARCH_TOOLS.filter(tool => mayUse(tool, caller)).map(({ definition }) => definition)
    return inEraOf(caller, 'tools/list', { tools }, this.#origin)
  }

  async #callTool(exchange: Exchange): Promise<Answer> {
    const { params = {}, caller } = exchange
    if (typeof params.name !== 'string')
      return { error: { code: RPC.invalidParams, message: 'tools/call needs a `name`' } }
    const tool = SEARCH_TOOLS.find(({ name }) => name === params.name)
    if (tool === undefined) return this.#finding.refuse(exchange, noSuchTool(params.name))
    const refusal = check(tool, caller, params.arguments)
    if (refusal !== undefined) return this.#finding.refuse(exchange, refusal)
    const args = isJsonObject(params.arguments) ? params.arguments : {}
    switch (tool.name) {
      case 'retrieve_tools':
      case 'describe_tool':
      case 'read_result':
        return this.#finding.answer(tool.name, exchange, args)
      case 'call_tools_read':
        return answerBatch(exchange, args as unknown as ReadBatch, {
          call: (part, one, claim) => this.#call(part, one, claim),
          finding: this.#finding,
          deps: this.#deps,
        })
      default:
        return this.#callOne(exchange, args, {
          variant: tool.name,
          intent: args.intent as Intent | undefined,
        })
    }
  }

  async #callOne(exchange: Exchange, args: Json, claim: Claim): Promise<Answer> {
    const outcome = await this.#call(exchange, args, claim)
    const told =
      outcome.kind === 'refused' ? await this.#finding.explain(exchange, args.name, outcome) : outcome
    return answerOf(told, exchange.caller, this.#origin)
  }

  /** Makes one tool call, with all of its checks. */
  async #call(exchange: Exchange, { name, args = {} }: Json, claim: Claim): Promise<Outcome> {
    const typed = String(name)
    const target = nameCall(typed, this.#deps.set)
    const outcome = await handleCall(
      { exchange, ...target, params: { ...exchange.params, arguments: args }, claim },
      this.#deps,
    )
    return withLinks(outcome, target.server, { caller: exchange.caller, front: this.#deps.front })
  }
}

function mayUse({ permissions }: SearchTool, { principal }: Caller): boolean {
  return permissions.some(permission => principal.scope.permissions.includes(permission))
}

function check(tool: SearchTool, caller: Caller, args: unknown): Refusal | undefined {
  if (!mayUse(tool, caller)) return notPermitted(tool)
  const problem = CHECKS.get(tool.name)?.(args)
  return problem === undefined ? undefined : invalidArguments({ tool: tool.name }, problem)
}
