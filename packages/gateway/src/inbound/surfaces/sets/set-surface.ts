import type { IncomingHttpHeaders } from 'node:http'
import { META_EFFECTIVE } from '@hintgate/metadata'
import { handleCall } from '../../../call/handle-call.ts'
import { isFor, rendersApps, withApp } from '../../../catalog/app-of-tool.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import type { IncomingCall } from '../../../exchange/incoming-call.ts'
import type {
  Answer,
  Description,
  RequestDetails,
  Surface,
  WatchedResources,
} from '../../../exchange/surface.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../../protocol/messages.ts'
import { mayUseServer } from '../../../scope/match-scope.ts'
import { ToolFinder } from '../../../search/tool-finder.ts'
import { type ConfirmRules, factsOf } from '../../../search/tool-view.ts'
import { isVisible } from '../../../search/visible.ts'
import type { SetTool } from '../../../sets/present-tool.ts'
import type { Toolset } from '../../../sets/toolset.ts'
import { answerOf, type Origin } from '../answer-call.ts'
import { checkParamHeaders } from '../check-param-headers.ts'
import { FirstStart } from '../first-start.ts'
import { withLinks } from '../front-of-servers.ts'
import { ListAnswers, type ShownTool } from '../list-answer.ts'
import { METHOD_NOT_FOUND } from '../pass-on.ts'
import type { SearchDeps } from '../search/finding-tools.ts'
import { SearchSurface } from '../search/search-surface.ts'
import { SEARCH_TOOLS } from '../search/search-tools.ts'

export type SetDeps = Omit<SearchDeps, 'finder' | 'set'>

const READ_RESULT = SEARCH_TOOLS.find(({ name }) => name === 'read_result')

/**
 * Presents one toolset at `/mcp/sets/NAME`: its tools directly, or through search. Calls take the same steps as on every
 * other surface.
 */
export class SetSurface implements Omit<Surface, 'watchTasks'> {
  readonly #set: Toolset
  readonly #deps: SetDeps
  readonly #lists = new ListAnswers()
  /** The lists for hosts that render apps. */
  readonly #appLists = new ListAnswers()
  readonly #firstStart: FirstStart
  readonly #origin: Origin
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()
  /** The confirmation rules that were in force when the cached lists were made. */
  #shownRules: ConfirmRules | undefined
  /** The state of the set that the watchers were last told about. */
  #announced = ''
  #search: SearchSurface | undefined

  constructor(set: Toolset, deps: SetDeps) {
    this.#set = set
    this.#deps = deps
    this.#firstStart = new FirstStart(deps.catalog)
    this.#origin = { serverInfo: deps.serverInfo }
    set.onChange(() => this.#noteChange())
  }

  async describe(caller: Caller): Promise<Description> {
    const { title, instructions } = this.#set.config ?? {}
    const serverInfo = { ...this.#deps.serverInfo, title: title ?? this.#set.name }
    const usual = this.#isSearched ? (await this.#searching.describe(caller)).instructions : undefined
    const texts = [instructions, usual].filter(text => text !== undefined)
    return {
      capabilities: { tools: { listChanged: true }, ...this.#deps.front.capabilitiesFor(caller) },
      serverInfo,
      ...(texts.length === 0 ? {} : { instructions: texts.join('\n\n') }),
    }
  }

  async handle(exchange: Exchange): Promise<Answer> {
    if (this.#isSearched) return this.#searching.handle(exchange)
    if (exchange.method === 'tools/list') return this.#listTools(exchange)
    if (exchange.method === 'tools/call') return this.#callTool(exchange)
    if (exchange.method === 'ping' && exchange.caller.era === 'legacy') return { result: {} }
    return this.#deps.front.handle(exchange) ?? { error: METHOD_NOT_FOUND }
  }

  receive(): void {}

  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
    if (this.#watchers.size === 0) this.#announced = this.#contents()
    const watcher = { caller, onNotification }
    this.#watchers.add(watcher)
    const stopWatching = this.#deps.front.watch(caller, onNotification)
    return () => {
      this.#watchers.delete(watcher)
      stopWatching()
    }
  }

  admit(wanted: RequestDetails): Promise<RpcError | undefined> {
    return this.#deps.front.admit(wanted)
  }

  watchResources(caller: Caller, uris: readonly string[]): WatchedResources {
    return this.#deps.front.watchResources(caller, uris)
  }

  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined {
    if (this.#isSearched || typeof params.name !== 'string') return undefined
    const offered = this.#set.find(params.name)
    const isKnown = offered !== undefined && isVisible(offered.shown, caller)
    return isKnown ? checkParamHeaders(offered.shown.paramHeaders, params.arguments, request) : undefined
  }

  release(caller: Caller): void {
    for (const server of this.#deps.servers()) server.release(caller.session)
  }

  get #isSearched(): boolean {
    return this.#set.config?.surface === 'search'
  }

  /** The search in this set. It is created on first use, because an index takes memory. */
  get #searching(): SearchSurface {
    if (this.#search === undefined) {
      const servers = this.#deps.servers().map(({ name }) => name)
      const finder = new ToolFinder(this.#set.source, { servers })
      this.#search = new SearchSurface({ ...this.#deps, finder, set: this.#set })
    }
    return this.#search
  }

  async #listTools({ caller }: Exchange): Promise<Answer> {
    const { scope } = caller.principal
    const servers = this.#deps
      .servers()
      .filter(({ name }) => mayUseServer(scope, name) && this.#set.includesServer(name))
    await this.#firstStart.wait(servers)
    const rules = this.#deps.confirmRules()
    if (rules !== this.#shownRules) this.#forgetLists()
    this.#shownRules = rules
    const lists = rendersApps(caller.envelope.capabilities) ? this.#appLists : this.#lists
    return lists.answer(caller, this.#origin, () => [
      ...servers
        .flatMap(({ name }) => this.#set.toolsOf(name))
        .filter(({ tool, shown }) => isVisible(shown, caller) && isFor('model', tool))
        .map(offered => this.#show(offered)),
      ...this.#toolsForApps(caller),
      ...this.#ownTools(caller),
    ])
  }

  /** Apps know only the names that tools have at their own servers. Hosts keep such tools from their models. */
  #toolsForApps(caller: Caller): readonly ShownTool[] {
    return [...this.#deps.front.callsForApps(caller).values()].flatMap(({ tool: { server, name } }) => {
      const offered = this.#set.toolsOf(server).find(one => one.tool.name === name)
      if (offered === undefined) return []
      const { shown } = this.#show(offered)
      const meta = isJsonObject(shown._meta) ? shown._meta : {}
      const ui = isJsonObject(meta.ui) ? meta.ui : {}
      return [{ tool: {}, shown: { ...shown, name, _meta: { ...meta, ui: { ...ui, visibility: ['app'] } } } }]
    })
  }

  /** A set that cuts long answers offers the tool that reads the rest. */
  #ownTools({ principal }: Caller): readonly ShownTool[] {
    const mayRead = READ_RESULT?.permissions.some(one => principal.scope.permissions.includes(one))
    return READ_RESULT !== undefined && mayRead === true && this.#set.cutsAnswers
      ? [{ tool: READ_RESULT, shown: READ_RESULT.definition }]
      : []
  }

  #show({ name, shown: tool, tool: reviewed }: SetTool): ShownTool {
    const { annotations: _, ...facts } = factsOf(tool, this.#deps.confirmRules())
    const meta = isJsonObject(tool.shown._meta) ? tool.shown._meta : {}
    return {
      tool,
      shown: {
        ...tool.shown,
        name,
        _meta: { ...withApp(meta, this.#deps.front.appAddress(reviewed)), [META_EFFECTIVE]: facts },
      },
    }
  }

  async #callTool(exchange: Exchange): Promise<Answer> {
    const { params = {}, caller } = exchange
    const typed = params.name
    if (typeof typed !== 'string')
      return { error: { code: RPC.invalidParams, message: 'tools/call needs a `name`' } }
    if (typed === READ_RESULT?.name && this.#set.cutsAnswers) return this.#searching.handle(exchange)
    const call = this.#nameCall(typed, caller)
    const { server, tool } = call
    // One object literal in the usual case, because spreading is slow to create and to read.
    const outcome = await handleCall(
      call.isForApps === true
        ? { exchange, params, ...call }
        : { exchange, server, tool, typed, params, set: this.#set },
      this.#deps,
    )
    const linked = withLinks(outcome, server, { caller, front: this.#deps.front })
    return answerOf(linked, caller, this.#origin)
  }

  /** Finds what a name means: a name of the set or, for an app, the name that one of the set's tools has at its server. */
  #nameCall(typed: string, caller: Caller): Omit<IncomingCall, 'exchange' | 'params'> {
    const offered = this.#set.find(typed)
    if (offered !== undefined)
      return { server: offered.tool.server, tool: offered.tool.name, typed, set: this.#set }
    const app = this.#deps.front.callsForApps(caller).get(typed)
    const name = app && this.#set.nameOf(app.tool.server, app.tool.name)
    if (app === undefined || name === undefined)
      return { ...this.#set.targetOf(typed), typed, set: this.#set }
    return { ...this.#set.targetOf(name), typed: name, set: this.#set, asker: app.asker, isForApps: true }
  }

  /** Tells watchers only of changes that agents of this set can see. */
  #noteChange(): void {
    this.#forgetLists()
    if (this.#watchers.size === 0) return
    const contents = this.#contents()
    if (contents === this.#announced) return
    this.#announced = contents
    for (const { onNotification } of this.#watchers)
      onNotification({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
  }

  #forgetLists(): void {
    this.#lists.forget()
    this.#appLists.forget()
  }

  #contents(): string {
    const tools = this.#set.tools.map(({ name, tool, override }) => [
      name,
      tool.fingerprint,
      tool.assessment.variant,
      override?.fingerprint,
    ])
    return JSON.stringify([this.#set.config?.surface, tools])
  }
}
