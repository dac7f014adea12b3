import type { IncomingHttpHeaders } from 'node:http'
import { META_EFFECTIVE } from '@hintgate/metadata'
import type { CallDeps } from '../../call/call-deps.ts'
import { handleCall } from '../../call/handle-call.ts'
import { isFor, rendersApps, withApp } from '../../catalog/app-of-tool.ts'
import type { CatalogTool } from '../../catalog/catalog.ts'
import type { Caller, Exchange } from '../../exchange/exchange.ts'
import type { IncomingCall } from '../../exchange/incoming-call.ts'
import type {
  Answer,
  Description,
  RequestDetails,
  Surface,
  WatchedResources,
} from '../../exchange/surface.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { joinName, splitName } from '../../protocol/server-name.ts'
import { mayUseServer } from '../../scope/match-scope.ts'
import { type ConfirmRules, factsOf } from '../../search/tool-view.ts'
import { isVisible } from '../../search/visible.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { answerOf, type Origin } from './answer-call.ts'
import { checkParamHeaders } from './check-param-headers.ts'
import { FirstStart } from './first-start.ts'
import { type FrontOfServers, withLinks } from './front-of-servers.ts'
import { ListAnswers } from './list-answer.ts'
import { METHOD_NOT_FOUND } from './pass-on.ts'

export interface DirectDeps extends CallDeps {
  servers(): readonly UpstreamServer[]
  readonly serverInfo: { readonly name: string; readonly version: string }
  readonly front: FrontOfServers
  /** Returns the confirmation rules in the current config. */
  confirmRules(): ConfirmRules
}

/** Presents every tool that the caller is allowed to use, from all servers, under the name `server__tool`. */
export class DirectSurface implements Omit<Surface, 'watchTasks'> {
  readonly #deps: DirectDeps
  readonly #lists = new ListAnswers()
  /** The lists for hosts that render apps. */
  readonly #appLists = new ListAnswers()
  readonly #origin: Origin
  readonly #firstStart: FirstStart
  /** The confirmation rules that were in force when the cached lists were made. */
  #shownRules: ConfirmRules | undefined
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()

  constructor(deps: DirectDeps) {
    this.#deps = deps
    this.#origin = { serverInfo: deps.serverInfo }
    this.#firstStart = new FirstStart(deps.catalog)
    deps.catalog.onChange(({ server }) => {
      this.#forgetLists()
      const news: Notification = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
      for (const { caller, onNotification } of this.#watchers)
        if (mayUseServer(caller.principal.scope, server)) onNotification(news)
    })
  }

  async describe(caller: Caller): Promise<Description> {
    const { front, serverInfo } = this.#deps
    return { capabilities: { tools: { listChanged: true }, ...front.capabilitiesFor(caller) }, serverInfo }
  }

  async handle(exchange: Exchange): Promise<Answer> {
    if (exchange.method === 'tools/list') return this.#listTools(exchange)
    if (exchange.method === 'tools/call') return this.#callTool(exchange)
    if (exchange.method === 'ping' && exchange.caller.era === 'legacy') return { result: {} }
    return this.#deps.front.handle(exchange) ?? { error: METHOD_NOT_FOUND }
  }

  receive(): void {}

  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
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
    if (typeof params.name !== 'string') return undefined
    const target = this.#target(params.name, caller)
    const tool = this.#deps.catalog.find(target.server, target.tool)
    const isKnown = tool !== undefined && isVisible(tool, caller)
    return isKnown ? checkParamHeaders(tool.paramHeaders, params.arguments, request) : undefined
  }

  release(caller: Caller): void {
    for (const server of this.#deps.servers()) server.release(caller.session)
  }

  async #listTools({ caller }: Exchange): Promise<Answer> {
    const servers = this.#deps.servers().filter(server => mayUseServer(caller.principal.scope, server.name))
    await this.#firstStart.wait(servers)
    const rules = this.#deps.confirmRules()
    if (rules !== this.#shownRules) this.#forgetLists()
    this.#shownRules = rules
    const lists = rendersApps(caller.envelope.capabilities) ? this.#appLists : this.#lists
    return lists.answer(caller, this.#origin, () => [
      ...servers
        .flatMap(server => this.#deps.catalog.tools(server.name))
        .filter(tool => isVisible(tool, caller) && isFor('model', tool))
        .map(tool => ({ tool, shown: this.#show(tool) })),
      ...[...this.#deps.front.callsForApps(caller).values()].map(({ tool }) => ({
        tool: { ...tool },
        shown: this.#showToApps(tool),
      })),
    ])
  }

  #forgetLists(): void {
    this.#lists.forget()
    this.#appLists.forget()
  }

  /** Returns a tool's definition under its own name, which apps use. Hosts keep such tools from their models. */
  #showToApps(tool: CatalogTool): Json {
    const shown = this.#show(tool)
    const meta = isJsonObject(shown._meta) ? shown._meta : {}
    const ui = isJsonObject(meta.ui) ? meta.ui : {}
    return { ...shown, name: tool.name, _meta: { ...meta, ui: { ...ui, visibility: ['app'] } } }
  }

  /**
   * Returns a tool's definition under a name that includes its server, with everything that Hintgate knows about the
   * tool.
   */
  #show(tool: CatalogTool): Json {
    const { shown } = tool
    const { annotations: _, ...facts } = factsOf(tool, this.#deps.confirmRules())
    const meta = isJsonObject(shown._meta) ? shown._meta : {}
    return {
      ...shown,
      name: joinName(tool),
      _meta: { ...withApp(meta, this.#deps.front.appAddress(tool)), [META_EFFECTIVE]: facts },
    }
  }

  async #callTool(exchange: Exchange): Promise<Answer> {
    const { params = {}, caller } = exchange
    const typed = params.name
    if (typeof typed !== 'string')
      return { error: { code: RPC.invalidParams, message: 'tools/call needs a `name`' } }
    const target = this.#target(typed, caller)
    const outcome = await handleCall({ exchange, typed, params, ...target }, this.#deps)
    const linked = withLinks(outcome, target.server, { caller, front: this.#deps.front })
    return answerOf(linked, caller, this.#origin)
  }

  /** Finds what a name means. A name without a server is one that an app uses. */
  #target(typed: string, caller: Caller): Pick<IncomingCall, 'server' | 'tool' | 'asker' | 'isForApps'> {
    const found = splitName(typed)
    if (found !== undefined) return { server: found.server, tool: found.name }
    const call = this.#deps.front.callsForApps(caller).get(typed)
    return call === undefined
      ? { server: '', tool: typed }
      : { server: call.tool.server, tool: call.tool.name, asker: call.asker, isForApps: true }
  }
}
