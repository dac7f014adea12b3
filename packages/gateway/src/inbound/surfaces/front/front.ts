import { limitOwn } from '../../../call/limit-rate.ts'
import { appOf } from '../../../catalog/app-of-tool.ts'
import type { CatalogTool } from '../../../catalog/catalog.ts'
import { withoutDemands } from '../../../catalog/read-page.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import type { Answer, RequestDetails, Surface, WatchedResources } from '../../../exchange/surface.ts'
import { wrapExchange } from '../../../exchange/wrap-exchange.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../../protocol/messages.ts'
import { joinName } from '../../../protocol/server-name.ts'
import { rememberTexts } from '../../../provenance/remember-texts.ts'
import { mayUseServer } from '../../../scope/match-scope.ts'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'
import { inEraOf } from '../answer-call.ts'
import type { AppCall, FrontOfServers } from '../front-of-servers.ts'
import { mayRequest } from '../guard-request.ts'
import { METHOD_NOT_FOUND, type PassDeps } from '../pass-on.ts'
import { recordClosed } from '../record-request.ts'
import { type Located, type UiAddresses, writeAddress } from './address.ts'
import { callsForApps } from './app-calls.ts'
import { addressesFor } from './find-app.ts'
import { withAddresses } from './links.ts'
import { KINDS, type Kind, type ServerItems } from './list-items.ts'
import { pageItems, type Section } from './page-items.ts'
import type { ServerLists } from './server-lists.ts'
import { noResource, Targets } from './targets.ts'
import type { View } from './view.ts'

export interface FrontDeps extends PassDeps {
  readonly servers: () => readonly UpstreamServer[]
  /** Returns the surface of one server, which checks, records and forwards each request. */
  surfaceOf(server: string): Surface | undefined
  readonly lists: ServerLists
  readonly items: ServerItems
  readonly apps: UiAddresses
  readonly serverInfo: { readonly name: string; readonly version: string }
}

const READ = 'resources/read'
/** Names the servers that are missing from a list, because they did not answer or their answer was withheld. */
const META_UNAVAILABLE = 'io.hintgate/unavailable'

/** Methods that name one resource. */
const OF_RESOURCE = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])
const LEGACY_ONLY = new Set(['resources/subscribe', 'resources/unsubscribe'])

/**
 * Presents the resources, templates, prompts and completions of all servers that a caller may see, under names that
 * include the server's. Each request then takes the same path as at the endpoint of its server, so no caller can do
 * more here than there.
 */
export class Front implements FrontOfServers {
  readonly #deps: FrontDeps
  readonly #view: View
  readonly #targets: Targets
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()
  readonly #stopListening: () => void

  constructor(deps: FrontDeps, view: View) {
    this.#deps = deps
    this.#view = view
    this.#targets = new Targets(deps, view)
    this.#stopListening = deps.lists.listen((server, news) => this.#publish(server, news))
  }

  capabilitiesFor({ principal }: Caller): Json {
    if (!mayRequest(principal.scope, READ)) return {}
    return {
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
    }
  }

  handle(exchange: Exchange): Promise<Answer> | undefined {
    const { method, caller } = exchange
    const kind = KINDS.get(method)
    const isOfOne = OF_RESOURCE.has(method) || method === 'prompts/get' || method === 'completion/complete'
    if (kind === undefined && !isOfOne) return undefined
    if (caller.era === 'modern' && LEGACY_ONLY.has(method)) return undefined
    if (!mayRequest(caller.principal.scope, READ))
      return this.#refuse(exchange, METHOD_NOT_FOUND, 'permission_denied')
    return kind === undefined ? this.#pass(exchange) : this.#list(exchange, kind)
  }

  address(result: Json, server: string, caller: Caller): Json {
    return withAddresses(result, addressesFor(this.#deps, server, caller))
  }

  appAddress(tool: CatalogTool): string | undefined {
    const uri = appOf(tool)
    if (uri === undefined) return undefined
    this.#deps.apps.note(tool.server)
    return this.#deps.apps.write({ server: tool.server, uri })
  }

  callsForApps(caller: Caller): ReadonlyMap<string, AppCall> {
    const servers = this.#serversFor(caller).map(({ name }) => name)
    return callsForApps(this.#deps, servers, caller)
  }

  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
    const watcher = { caller, onNotification }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  /** Asks the servers of all resources that a request names whether the caller may watch them. */
  async admit(wanted: RequestDetails): Promise<RpcError | undefined> {
    const { caller, params } = wanted
    const notifications = isJsonObject(params?.notifications) ? params.notifications : {}
    const addresses = notifications.resourceSubscriptions
    const { byServer, unknown } = this.#targets.group(caller, Array.isArray(addresses) ? addresses : [])
    if (unknown !== undefined) {
      const answer = await this.#refuse(wanted, noResource(unknown))
      return 'error' in answer ? answer.error : undefined
    }
    for (const [server, located] of byServer) {
      const resourceSubscriptions = located.map(({ uri }) => uri)
      const own = {
        ...wanted,
        params: { ...params, notifications: { ...notifications, resourceSubscriptions } },
      }
      const error = await this.#deps.surfaceOf(server)?.admit(own)
      if (error !== undefined) return error
    }
    return undefined
  }

  watchResources(caller: Caller, addresses: readonly string[]): WatchedResources {
    const { byServer } = this.#targets.group(caller, addresses)
    const watched = [...byServer].flatMap(([server, located]) => {
      const following = this.#deps.surfaceOf(server)?.watchResources(
        caller,
        located.map(({ uri }) => uri),
      )
      return following === undefined ? [] : [{ following, located }]
    })
    const uris = watched.flatMap(({ following, located }) =>
      located.filter(({ uri }) => following.uris.includes(uri)).map(({ address }) => address),
    )
    return {
      uris,
      stop() {
        for (const { following } of watched) following.stop()
      },
    }
  }

  /** Called when the endpoint is removed. */
  close(): void {
    this.#stopListening()
  }

  #serversFor({ principal }: Caller): readonly UpstreamServer[] {
    return this.#deps
      .servers()
      .filter(({ name }) => mayUseServer(principal.scope, name) && this.#view.showsServer(name))
  }

  async #list(exchange: Exchange, kind: Kind): Promise<Answer> {
    const { caller, params } = exchange
    const tooMany = await limitOwn(caller.principal, kind.method, this.#deps)
    if (tooMany !== undefined)
      return this.#refuse(exchange, {
        code: RPC.generic,
        message: tooMany.message,
        data: { code: tooMany.code },
      })
    const servers = this.#serversFor(caller)
    const lists = await Promise.all(servers.map(server => this.#deps.items.list(server, kind)))
    const sections = servers.map(({ name }, at) => ({ server: name, items: lists[at] ?? [] }))
    const page = pageItems(sections, params?.cursor)
    if (page === undefined) return { error: UNKNOWN_CURSOR }
    const shown = page.sections.map(section => this.#showItems(section, kind, caller))
    for (const [at, { server }] of page.sections.entries())
      await this.#remember({ [kind.member]: shown[at] }, server, exchange)
    const missing = servers.filter((_, at) => lists[at] === undefined).map(({ name }) => name)
    const result = {
      [kind.member]: shown.flat(),
      ...(page.next === undefined ? {} : { nextCursor: page.next }),
      ...(missing.length === 0 ? {} : { _meta: { [META_UNAVAILABLE]: missing } }),
    }
    return inEraOf(caller, kind.method, result, this.#deps)
  }

  #showItems({ server, items }: Section, { key }: Kind, caller: Caller): readonly Json[] {
    const toAddress = addressesFor(this.#deps, server, caller)
    return items.map(item => {
      const own = String(item[key])
      const shown = this.#deps.others.isOpen ? item : withoutDemands(item)
      return { ...shown, [key]: key === 'name' ? joinName({ server, name: own }) : toAddress(own) }
    })
  }

  #remember(shown: Json, server: string, { caller, method, requestId }: Exchange): undefined | Promise<void> {
    const { principal, session } = caller
    const source = { server, tool: method, request: requestId, session, at: Date.now() }
    return rememberTexts(shown, {
      memory: this.#deps.passages,
      principal: principal.id,
      source,
      args: undefined,
    })
  }

  /** Passes a request about one thing to the surface of its server, and puts addresses into the answer. */
  async #pass(exchange: Exchange): Promise<Answer> {
    const { caller } = exchange
    const target = this.#targets.find(exchange)
    if ('error' in target) return this.#refuse(exchange, target.error)
    const surface = this.#deps.surfaceOf(target.server)
    if (surface === undefined) return { error: METHOD_NOT_FOUND }
    const answer = await surface.handle(wrapExchange(exchange, { params: target.params }))
    if ('error' in answer) return { error: this.#addressError(answer.error, target.server, caller) }
    return 'result' in answer ? { result: this.address(answer.result, target.server, caller) } : answer
  }

  /** Some servers name the missing resource in the data of an error. */
  #addressError(error: RpcError, server: string, caller: Caller): RpcError {
    if (!isJsonObject(error.data) || typeof error.data.uri !== 'string') return error
    const uri = addressesFor(this.#deps, server, caller)(error.data.uri)
    return { ...error, data: { ...error.data, uri } }
  }

  #refuse(
    wanted: RequestDetails,
    error: RpcError,
    code?: 'permission_denied' | 'rate_limited',
  ): Promise<Answer> {
    return recordClosed(wanted, { server: '', recorder: this.#deps.recorder }, { error, code })
  }

  #publish(server: string, { method, params }: Notification): void {
    // The endpoint announces changed tools itself, once it has the new list.
    if (method === 'notifications/tools/list_changed') return
    for (const { caller, onNotification } of this.#watchers) {
      if (!this.#targets.sees(caller, server) || !mayRequest(caller.principal.scope, READ)) continue
      if (typeof params?.uri !== 'string') onNotification({ jsonrpc: '2.0', method })
      else
        for (const uri of this.#addressesOf({ server, uri: params.uri }, caller))
          onNotification({ jsonrpc: '2.0', method, params: { uri } })
    }
  }

  /** A client watches a resource by one of its addresses. The page of an app has two. */
  #addressesOf(located: Located, caller: Caller): ReadonlySet<string> {
    return new Set([addressesFor(this.#deps, located.server, caller)(located.uri), writeAddress(located)])
  }
}

const UNKNOWN_CURSOR: RpcError = {
  code: RPC.invalidParams,
  message: 'this cursor is unknown; list again without it',
}
