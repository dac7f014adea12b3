import type { IncomingHttpHeaders } from 'node:http'
import { META_EFFECTIVE } from '@hintgate/metadata'
import type { CallDeps } from '../../call/call-deps.ts'
import { handleCall } from '../../call/handle-call.ts'
import type { CatalogTool } from '../../catalog/catalog.ts'
import type { Caller, Exchange } from '../../exchange/exchange.ts'
import {
  type Answer,
  type Description,
  NO_RESOURCES,
  type Surface,
  type WatchedResources,
} from '../../exchange/surface.ts'
import { isJsonObject, type Json, type Notification, RPC } from '../../protocol/messages.ts'
import { mayUseServer } from '../../scope/match-scope.ts'
import { type ConfirmRules, factsOf } from '../../search/tool-view.ts'
import { isVisible } from '../../search/visible.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { answerOf, type Origin } from './answer-call.ts'
import { checkParamHeaders } from './check-param-headers.ts'
import { FirstStart } from './first-start.ts'
import { ListAnswers } from './list-answer.ts'

/** Separates the server's name from the tool's name. No server's name contains it. */
const SEPARATOR = '__'

export interface DirectDeps extends CallDeps {
  servers(): readonly UpstreamServer[]
  readonly serverInfo: { readonly name: string; readonly version: string }
  /** Returns the confirmation rules in the current config. */
  confirmRules(): ConfirmRules
}

/** Presents every tool that the caller is allowed to use, from all servers, under the name `server__tool`. */
export class DirectSurface implements Omit<Surface, 'watchTasks'> {
  readonly #deps: DirectDeps
  readonly #lists = new ListAnswers()
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
      this.#lists.forget()
      const news: Notification = { jsonrpc: '2.0', method: 'notifications/tools/list_changed' }
      for (const { caller, onNotification } of this.#watchers)
        if (mayUseServer(caller.principal.scope, server)) onNotification(news)
    })
  }

  async describe(): Promise<Description> {
    return { capabilities: { tools: { listChanged: true } }, serverInfo: this.#deps.serverInfo }
  }

  async handle(exchange: Exchange): Promise<Answer> {
    if (exchange.method === 'tools/list') return this.#listTools(exchange)
    if (exchange.method === 'tools/call') return this.#callTool(exchange)
    if (exchange.method === 'ping' && exchange.caller.era === 'legacy') return { result: {} }
    return { error: { code: RPC.methodNotFound, message: 'Method not found' } }
  }

  receive(): void {}

  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
    const watcher = { caller, onNotification }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  async admit(): Promise<undefined> {
    return undefined
  }

  watchResources(): WatchedResources {
    return NO_RESOURCES
  }

  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined {
    const target = splitName(params.name)
    const tool = target === undefined ? undefined : this.#deps.catalog.find(target.server, target.tool)
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
    if (rules !== this.#shownRules) this.#lists.forget()
    this.#shownRules = rules
    return this.#lists.answer(caller, this.#origin, () =>
      servers
        .flatMap(server => this.#deps.catalog.tools(server.name))
        .filter(tool => isVisible(tool, caller))
        .map(tool => ({ tool, shown: this.#show(tool) })),
    )
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
      name: `${tool.server}${SEPARATOR}${tool.name}`,
      _meta: { ...meta, [META_EFFECTIVE]: facts },
    }
  }

  async #callTool(exchange: Exchange): Promise<Answer> {
    const { params = {}, caller } = exchange
    const typed = params.name
    if (typeof typed !== 'string')
      return { error: { code: RPC.invalidParams, message: 'tools/call needs a `name`' } }
    const target = splitName(typed) ?? { server: '', tool: typed }
    const outcome = await handleCall({ exchange, ...target, typed, params }, this.#deps)
    return answerOf(outcome, caller, this.#origin)
  }
}

function splitName(name: unknown): { readonly server: string; readonly tool: string } | undefined {
  if (typeof name !== 'string') return undefined
  const at = name.indexOf(SEPARATOR)
  return at < 1 ? undefined : { server: name.slice(0, at), tool: name.slice(at + SEPARATOR.length) }
}
