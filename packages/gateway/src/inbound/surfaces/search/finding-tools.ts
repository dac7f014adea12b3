import { type SessionRiskFactors, viewRisk } from '@hintgate/metadata'
import type { LongWork } from '../../../admission/long-work.ts'
import { limitOwn } from '../../../call/limit-rate.ts'
import { unknownTool } from '../../../call/refusals.ts'
import { withApp } from '../../../catalog/app-of-tool.ts'
import type { CatalogTool } from '../../../catalog/catalog.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import { type Outcome, type Refusal, refusalResult } from '../../../exchange/outcome.ts'
import type { Answer } from '../../../exchange/surface.ts'
import { isJsonObject, type Json } from '../../../protocol/messages.ts'
import { writeJson } from '../../../protocol/parse-json.ts'
import { splitId } from '../../../protocol/split-id.ts'
import { rememberTexts } from '../../../provenance/remember-texts.ts'
import { answerPage, NO_HANDLE, type Page } from '../../../results/kept/page-result.ts'
import { mayUseServer, mayUseTool } from '../../../scope/match-scope.ts'
import type { Scope } from '../../../scope/scope.ts'
import type { Query, ToolFinder } from '../../../search/tool-finder.ts'
import { type ConfirmRules, describeTool } from '../../../search/tool-view.ts'
import type { Toolset } from '../../../sets/toolset.ts'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'
import { inEraOf, type Origin } from '../answer-call.ts'
import { FirstStart } from '../first-start.ts'
import type { FrontOfServers } from '../front-of-servers.ts'
import type { BatchDeps } from './read-in-parallel.ts'
import { refuseHere } from './refuse-here.ts'
import { SEARCH_TOOLS, type SearchTool } from './search-tools.ts'

export interface SearchDeps extends BatchDeps {
  readonly finder: ToolFinder
  servers(): readonly UpstreamServer[]
  readonly serverInfo: { readonly name: string; readonly version: string }
  /** Returns the confirmation rules in the current config. */
  readonly confirmRules: () => ConfirmRules
  /** The toolset to which this surface is limited. Absent at `/mcp`. */
  readonly set?: Toolset | undefined
  /** The queue in which searches wait for their turn. */
  readonly longWork: LongWork
  readonly front: FrontOfServers
}

/**
 * Implements `retrieve_tools`, `describe_tool` and `read_result`. They reach no server, but they take processing time
 * from all callers.
 */
export class FindingTools {
  readonly #deps: SearchDeps
  readonly #origin: Origin
  readonly #firstStart: FirstStart

  constructor(deps: SearchDeps) {
    this.#deps = deps
    this.#origin = { serverInfo: deps.serverInfo }
    this.#firstStart = new FirstStart(deps.catalog)
  }

  answer(
    name: 'retrieve_tools' | 'describe_tool' | 'read_result',
    exchange: Exchange,
    args: Json,
  ): Promise<Answer> {
    switch (name) {
      case 'retrieve_tools':
        return this.#retrieve(exchange, args as unknown as Query)
      case 'describe_tool':
        return this.#describeTool(exchange, String(args.name))
      case 'read_result':
        return this.#readResult(exchange, args)
    }
  }

  /** Waits briefly for those of the caller's servers that are just starting, so that a search can find their tools. */
  async #waitForServers({ principal }: Caller): Promise<void> {
    const { set } = this.#deps
    const servers = this.#deps
      .servers()
      .filter(({ name }) => mayUseServer(principal.scope, name) && set?.includesServer(name) !== false)
    await this.#firstStart.wait(servers)
  }

  async #retrieve(exchange: Exchange, query: Query): Promise<Answer> {
    const { finder, sessions, longWork } = this.#deps
    const { caller } = exchange
    const { principal } = caller
    const tooMany = await limitOwn(principal, 'retrieve_tools', this.#deps)
    if (tooMany !== undefined) return this.refuse(exchange, tooMany)
    await this.#waitForServers(caller)
    await finder.prepare(caller, query)
    if (!(await longWork.turn(principal.id, exchange))) return { cancelled: true }
    const { hint, ...found } = finder.find(caller, query, this.#confirmRules(caller))
    const now = Date.now()
    await sessions.ready({ session: caller.session, principal: principal.id }, now)
    const session_risk = this.#showRisk(sessions.riskFactorsOf(caller.session, now))
    return answerJson(this.#origin, caller, {
      ...found,
      session_risk,
      ...(hint === undefined ? {} : { hint }),
    })
  }

  /** Shows a session's risk. In a toolset, tools have the set's names, and tools of other endpoints have none. */
  #showRisk(factors: SessionRiskFactors): Json {
    const { level, riskFactors } = viewRisk(factors)
    const { set } = this.#deps
    if (set === undefined) return { level, riskFactors }
    const named = riskFactors.map(({ tool: id, ...rest }) => {
      const { server, tool } = splitId(id)
      const name = set.nameOf(server, tool)
      return name === undefined ? rest : { ...rest, tool: name }
    })
    return { level, riskFactors: named }
  }

  async #describeTool(exchange: Exchange, id: string): Promise<Answer> {
    const { caller } = exchange
    const tooMany = await limitOwn(caller.principal, 'describe_tool', this.#deps)
    if (tooMany !== undefined) return this.refuse(exchange, tooMany)
    await this.#waitForServers(caller)
    const tool = this.#deps.finder.get(caller, id)
    if (tool !== undefined) {
      const described = describeTool(tool, this.#confirmRules(caller))
      return answerJson(this.#origin, caller, this.#withApp(described, tool))
    }
    const refusal = await this.#suggest(exchange, id)
    return refusal === undefined ? { cancelled: true } : this.refuse(exchange, refusal)
  }

  #withApp(described: Json, tool: CatalogTool): Json {
    if (!isJsonObject(described._meta)) return described
    return { ...described, _meta: withApp(described._meta, this.#deps.front.appAddress(tool)) }
  }

  /** The confirmation settings of a token override those of the config. */
  #confirmRules({ principal }: Caller): ConfirmRules {
    return { ...this.#deps.confirmRules(), ...principal.scope.confirm }
  }

  async #readResult(exchange: Exchange, args: Json): Promise<Answer> {
    const { caller } = exchange
    const { principal } = caller
    const tooMany = await limitOwn(principal, 'read_result', this.#deps)
    if (tooMany !== undefined) return this.refuse(exchange, tooMany)
    const found = await this.#deps.results.read(args, { owner: principal.id, now: Date.now() })
    const page = 'problem' in found || this.#mayRead(found, principal.scope) ? found : NO_HANDLE
    if (!('problem' in page)) {
      const { set: _set, ...shown } = page
      const answer = answerPage({ ...shown, tool: this.#nameOf(page.tool) })
      await this.#remember(answer, page.tool, exchange)
      return inEraOf(caller, 'tools/call', answer, this.#origin)
    }
    return this.refuse(exchange, {
      code: 'invalid_arguments',
      message: `The argument "${page.problem}" of "read_result" matches no result that is stored for this caller.`,
      tool: 'read_result',
      verdict: 'deny',
      reasons: [{ rule: 'results', source: 'call', text: `no such ${page.problem} for this caller` }],
      remedy: page.text,
      field: page.problem,
    })
  }

  /**
   * Checks the caller's scope again, because it might have become narrower since the result was stored. A result that
   * was stored in a toolset can be read only there, and other results cannot be read there.
   */
  #mayRead(page: Page, scope: Scope): boolean {
    const { server, tool } = splitId(page.tool)
    const { set } = this.#deps
    return page.set === set?.name && mayUseTool(scope, server, tool) && set?.contains(server, tool) !== false
  }

  #nameOf(id: string): string {
    const { server, tool } = splitId(id)
    return this.#deps.set?.nameOf(server, tool) ?? id
  }

  /**
   * Remembers the text of this page for provenance. When a very long result arrives, only its beginning is remembered.
   */
  #remember(page: Json, id: string, { caller, requestId }: Exchange): undefined | Promise<void> {
    const { server, tool } = splitId(id)
    const { catalog, passages } = this.#deps
    const isClosed = catalog.find(server, tool)?.assessment.effective.openWorld.value === false
    if (isClosed) return undefined
    const { principal, session } = caller
    const source = { server, tool, request: requestId, session, at: Date.now() }
    return rememberTexts(page, { memory: passages, principal: principal.id, source, args: undefined })
  }

  refuse(exchange: Exchange, refusal: Refusal): Promise<Answer> {
    return refuseHere(exchange, refusal, { origin: this.#origin, deps: this.#deps })
  }

  /** Returns the outcome of a call. If the tool is unknown, a suggestion is added. */
  async explain(exchange: Exchange, name: unknown, outcome: Outcome): Promise<Outcome> {
    if (!isUnknown(outcome)) return outcome
    const refusal = await this.#suggest(exchange, String(name))
    return refusal === undefined ? { kind: 'cancelled' } : { kind: 'refused', refusal }
  }

  /** Searches for a tool to suggest. Returns undefined if the request was cancelled before its turn. */
  async #suggest(exchange: Exchange, typed: string): Promise<Refusal | undefined> {
    const { finder, longWork } = this.#deps
    const { caller } = exchange
    if (!(await longWork.turn(caller.principal.id, exchange))) return undefined
    return unknownTool(typed, finder.suggest(caller, typed))
  }
}

export function isUnknown(outcome: Outcome): boolean {
  return outcome.kind === 'refused' && outcome.refusal.code === 'unknown_tool'
}

/**
 * Returns an answer with the same JSON twice: as structured data for programs, and as text, because some clients pass
 * only text to the model.
 */
export function answerJson(origin: Origin, caller: Caller, structuredContent: Json): Answer {
  const result = { content: [{ type: 'text', text: writeJson(structuredContent) }], structuredContent }
  return inEraOf(caller, 'tools/call', result, origin)
}

export function refuse(origin: Origin, caller: Caller, refusal: Refusal): Answer {
  return inEraOf(caller, 'tools/call', refusalResult(refusal), origin)
}

export function noSuchTool(name: string): Refusal {
  const names = SEARCH_TOOLS.map(tool => tool.name).join(', ')
  return {
    ...unknownTool(name, undefined),
    remedy: `This endpoint has ${names}. Use these to call any other tool, by its id server:tool.`,
  }
}

export function notPermitted({ name, permissions }: SearchTool): Refusal {
  const needed = permissions.join(' or ')
  return {
    code: 'permission_denied',
    message: `This token may not use ${name}.`,
    tool: name,
    verdict: 'deny',
    reasons: [{ rule: 'scope.permissions', source: 'token', text: `it needs the permission ${needed}` }],
    remedy: `Ask for a token with the permission ${needed}.`,
  }
}
