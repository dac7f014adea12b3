import { type ArgumentCheck, compileSchema } from '../../../arguments/compile-schema.ts'
import { handleCall } from '../../../call/handle-call.ts'
import { invalidArguments, unknownTool } from '../../../call/refusals.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import type { Outcome, Refusal } from '../../../exchange/outcome.ts'
import {
  type Answer,
  type Description,
  FOLLOWING_NOTHING,
  type Following,
  type Surface,
} from '../../../exchange/surface.ts'
import type { Claim, Intent } from '../../../policy/facts/intent.ts'
import { isJsonObject, type Json, RPC } from '../../../protocol/messages.ts'
import { splitId } from '../../../protocol/split-id.ts'
import type { Query } from '../../../search/tool-finder.ts'
import { answerOf, inEraOf, type Origin } from '../answer-call.ts'
import { FindingTools, refuse, type SearchDeps, say } from './finding-tools.ts'
import { type ReadBatch, readInParallel } from './read-in-parallel.ts'
import { SEARCH_TOOLS, type SearchTool } from './search-tools.ts'

/** How many of a batch's unknown names are looked for among the known: whoever misspells all of them reads one or two. */
const BATCH_SUGGESTIONS = 2

const INSTRUCTIONS =
  'Find tools with retrieve_tools; call each with the tool that its call_with names, its id as name and its arguments as args.'

const CHECKS: ReadonlyMap<string, ArgumentCheck> = new Map(
  SEARCH_TOOLS.map(({ name, definition }) => [name, compileSchema(definition.inputSchema)]),
)

/** A few tools to find and call all others with. Every call goes through the same corridor as on any other surface. */
export class SearchSurface implements Surface {
  readonly #deps: SearchDeps
  readonly #origin: Origin
  readonly #finding: FindingTools

  constructor(deps: SearchDeps) {
    this.#deps = deps
    this.#origin = { serverInfo: deps.serverInfo }
    this.#finding = new FindingTools(deps)
  }

  async describe(): Promise<Description> {
    const { serverInfo } = this.#deps
    return { capabilities: { tools: {} }, serverInfo, instructions: INSTRUCTIONS }
  }

  async handle(exchange: Exchange): Promise<Answer> {
    const { method, caller } = exchange
    if (method === 'tools/list') return this.#listTools(caller)
    if (method === 'tools/call') return this.#callTool(exchange)
    if (method === 'ping' && caller.era === 'legacy') return { result: {} }
    return { error: { code: RPC.methodNotFound, message: 'Method not found' } }
  }

  hear(): void {}

  /** What these tools are never changes. */
  watch(): () => void {
    return () => {}
  }

  async admit(): Promise<undefined> {
    return undefined
  }

  follow(): Following {
    return FOLLOWING_NOTHING
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
    const args = isJsonObject(params.arguments) ? params.arguments : {}
    if (tool === undefined) return refuse(this.#origin, caller, noSuchTool(params.name))
    const refusal = check(tool, caller, params.arguments)
    if (refusal !== undefined) return refuse(this.#origin, caller, refusal)
    switch (tool.name) {
      case 'retrieve_tools':
        return this.#finding.retrieve(exchange, args as unknown as Query)
      case 'describe_tool':
        return this.#finding.describeTool(exchange, String(args.name))
      case 'read_result':
        return this.#finding.readResult(caller, args)
      case 'call_tools_read':
        return this.#callTools(exchange, args as unknown as ReadBatch)
      default:
        return this.#callOne(exchange, args, {
          variant: tool.name,
          intent: args.intent as Intent | undefined,
        })
    }
  }

  async #callOne(exchange: Exchange, args: Json, claim: Claim): Promise<Answer> {
    const outcome = await this.#call(exchange, args, claim)
    return answerOf(await this.#explain(exchange, args.name, outcome), exchange.caller, this.#origin)
  }

  async #callTools(exchange: Exchange, batch: ReadBatch): Promise<Answer> {
    let suggestions = BATCH_SUGGESTIONS
    const outcome = await readInParallel(exchange, batch, {
      callPart: async (part, { name, args }, claim) => {
        const outcome = await this.#call(part, { name, args }, claim)
        return isUnknown(outcome) && suggestions-- > 0 ? this.#explain(part, name, outcome) : outcome
      },
      deps: this.#deps,
    })
    if (outcome.kind === 'cancelled') return { cancelled: true }
    return outcome.kind === 'refused'
      ? refuse(this.#origin, exchange.caller, outcome.refusal)
      : say(this.#origin, exchange.caller, outcome.answer)
  }

  /** One call of one tool, through the corridor. */
  #call(exchange: Exchange, { name, args = {} }: Json, claim: Claim): Promise<Outcome> {
    const typed = String(name)
    return handleCall(
      { exchange, ...splitId(typed), typed, params: { ...exchange.params, arguments: args }, claim },
      this.#deps,
    )
  }

  /** An outcome as it is, or with what may have been meant. */
  async #explain(exchange: Exchange, name: unknown, outcome: Outcome): Promise<Outcome> {
    if (!isUnknown(outcome)) return outcome
    const refusal = await this.#finding.suggest(exchange, String(name))
    return refusal === undefined ? { kind: 'cancelled' } : { kind: 'refused', refusal }
  }
}

function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.refusal.code === 'unknown_tool'
}

function mayUse({ permissions }: SearchTool, { principal }: Caller): boolean {
  return permissions.some(permission => principal.scope.permissions.includes(permission))
}

function check(tool: SearchTool, caller: Caller, args: unknown): Refusal | undefined {
  if (!mayUse(tool, caller)) return notPermitted(tool)
  const problem = CHECKS.get(tool.name)?.(args)
  return problem === undefined ? undefined : invalidArguments({ tool: tool.name }, problem)
}

function noSuchTool(name: string): Refusal {
  const names = SEARCH_TOOLS.map(tool => tool.name).join(', ')
  return {
    ...unknownTool(name, undefined),
    remedy: `Here are ${names}. Other tools are called through them, by server:tool.`,
  }
}

function notPermitted({ name, permissions }: SearchTool): Refusal {
  const needed = permissions.join(' or ')
  return {
    code: 'permission_denied',
    message: `This token may not use ${name}.`,
    tool: name,
    verdict: 'deny',
    reasons: [{ rule: 'scope.permissions', source: 'token', text: `it takes the permission ${needed}` }],
    remedy: `Ask for a token with the permission ${needed}.`,
  }
}
