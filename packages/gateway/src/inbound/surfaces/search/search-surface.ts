import { viewRisk } from '@hintgate/metadata'
import type { LongWork } from '../../../admission/long-work.ts'
import { type ArgumentCheck, compileSchema } from '../../../arguments/compile-schema.ts'
import { handleCall } from '../../../call/handle-call.ts'
import { limitOwn } from '../../../call/limit-rate.ts'
import { invalidArguments, unknownTool } from '../../../call/refusals.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import { type Outcome, type Refusal, refusalResult } from '../../../exchange/outcome.ts'
import {
  type Answer,
  type Description,
  FOLLOWING_NOTHING,
  type Following,
  type Surface,
} from '../../../exchange/surface.ts'
import type { Claim, Intent } from '../../../policy/facts/intent.ts'
import { isJsonObject, type Json, RPC } from '../../../protocol/messages.ts'
import { writeJson } from '../../../protocol/parse-json.ts'
import { splitId } from '../../../protocol/split-id.ts'
import { answerPage, NO_HANDLE } from '../../../results/kept/page-result.ts'
import { mayUseServer, mayUseTool } from '../../../scope/match-scope.ts'
import type { Scope } from '../../../scope/scope.ts'
import type { Query, ToolFinder } from '../../../search/tool-finder.ts'
import { type ConfirmRules, describeTool } from '../../../search/tool-view.ts'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'
import { answerOf, inEraOf, type Origin } from '../answer-call.ts'
import { FirstStart } from '../first-start.ts'
import { type BatchDeps, type ReadBatch, readInParallel } from './read-in-parallel.ts'
import { SEARCH_TOOLS, type SearchTool } from './search-tools.ts'

export interface SearchDeps extends BatchDeps {
  readonly finder: ToolFinder
  servers(): readonly UpstreamServer[]
  readonly serverInfo: { readonly name: string; readonly version: string }
  /** As the config says now. */
  readonly confirmRules: () => ConfirmRules
  /** Where searches wait for each other. */
  readonly longWork: LongWork
}

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
  readonly #firstStart: FirstStart

  constructor(deps: SearchDeps) {
    this.#deps = deps
    this.#origin = { serverInfo: deps.serverInfo }
    this.#firstStart = new FirstStart(deps.catalog)
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
    if (tool === undefined) return this.#refuse(caller, noSuchTool(params.name))
    const refusal = check(tool, caller, params.arguments)
    if (refusal !== undefined) return this.#refuse(caller, refusal)
    switch (tool.name) {
      case 'retrieve_tools':
        return this.#retrieve(exchange, args as unknown as Query)
      case 'describe_tool':
        return this.#describeTool(exchange, String(args.name))
      case 'read_result':
        return this.#readResult(caller, args)
      case 'call_tools_read':
        return this.#callTools(exchange, args as unknown as ReadBatch)
      default:
        return this.#callOne(exchange, args, {
          variant: tool.name,
          intent: args.intent as Intent | undefined,
        })
    }
  }

  /** Who looks for tools may wait a moment for servers that just start; who calls one waits for its server alone. */
  async #waitForServers({ principal }: Caller): Promise<void> {
    const servers = this.#deps.servers().filter(server => mayUseServer(principal.scope, server.name))
    await this.#firstStart.wait(servers)
  }

  async #retrieve(exchange: Exchange, query: Query): Promise<Answer> {
    const { finder, sessions, longWork } = this.#deps
    const { caller } = exchange
    const { principal } = caller
    const tooMany = await limitOwn(principal, 'retrieve_tools', this.#deps)
    if (tooMany !== undefined) return this.#refuse(caller, tooMany)
    await this.#waitForServers(caller)
    if (!(await longWork.turn(principal.id, exchange))) return { cancelled: true }
    const { hint, ...found } = finder.find(caller, query, this.#confirmRules(caller))
    const now = Date.now()
    await sessions.ready({ session: caller.session, principal: principal.id }, now)
    const session_risk = viewRisk(sessions.legsOf(caller.session, now))
    return this.#say(caller, { ...found, session_risk, ...(hint === undefined ? {} : { hint }) })
  }

  async #describeTool(exchange: Exchange, id: string): Promise<Answer> {
    const { caller } = exchange
    const tooMany = await limitOwn(caller.principal, 'describe_tool', this.#deps)
    if (tooMany !== undefined) return this.#refuse(caller, tooMany)
    await this.#waitForServers(caller)
    const tool = this.#deps.finder.get(caller, id)
    if (tool !== undefined) return this.#say(caller, describeTool(tool, this.#confirmRules(caller)))
    const refusal = await this.#suggest(exchange, id)
    return refusal === undefined ? { cancelled: true } : this.#refuse(caller, refusal)
  }

  /** What a token says of itself goes before what the config says of all. */
  #confirmRules({ principal }: Caller): ConfirmRules {
    return { ...this.#deps.confirmRules(), ...principal.scope.confirm }
  }

  async #readResult(caller: Caller, args: Json): Promise<Answer> {
    const { principal } = caller
    const tooMany = await limitOwn(principal, 'read_result', this.#deps)
    if (tooMany !== undefined) return this.#refuse(caller, tooMany)
    const found = await this.#deps.results.read(args, { owner: principal.id, now: Date.now() })
    const page = 'problem' in found || isInScope(found.tool, principal.scope) ? found : NO_HANDLE
    if (!('problem' in page)) return inEraOf(caller, 'tools/call', answerPage(page), this.#origin)
    return this.#refuse(caller, {
      code: 'invalid_arguments',
      message: `The argument "${page.problem}" of "read_result" leads nowhere.`,
      tool: 'read_result',
      verdict: 'deny',
      reasons: [{ rule: 'results', source: 'call', text: `no such ${page.problem} for this caller` }],
      remedy: page.text,
      field: page.problem,
    })
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
      ? this.#refuse(exchange.caller, outcome.refusal)
      : this.#say(exchange.caller, outcome.answer)
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
    const refusal = await this.#suggest(exchange, String(name))
    return refusal === undefined ? { kind: 'cancelled' } : { kind: 'refused', refusal }
  }

  /** What a caller may have meant takes a search to find out. Undefined: it was called off before its turn came. */
  async #suggest(exchange: Exchange, typed: string): Promise<Refusal | undefined> {
    const { finder, longWork } = this.#deps
    const { caller } = exchange
    if (!(await longWork.turn(caller.principal.id, exchange))) return undefined
    return unknownTool(typed, finder.suggest(caller, typed))
  }

  /** As data for programs, and as text for models whose client shows them nothing else. */
  #say(caller: Caller, structuredContent: Json): Answer {
    const result = { content: [{ type: 'text', text: writeJson(structuredContent) }], structuredContent }
    return inEraOf(caller, 'tools/call', result, this.#origin)
  }

  #refuse(caller: Caller, refusal: Refusal): Answer {
    return inEraOf(caller, 'tools/call', refusalResult(refusal), this.#origin)
  }
}

function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.refusal.code === 'unknown_tool'
}

/** A scope may have become narrower since the result was kept. */
function isInScope(id: string, scope: Scope): boolean {
  const { server, tool } = splitId(id)
  return mayUseTool(scope, server, tool)
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
