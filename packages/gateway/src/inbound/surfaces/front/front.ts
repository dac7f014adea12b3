import { limitOwn } from '../../../call/limit-rate.ts'
import { appOf } from '../../../catalog/app-of-tool.ts'
import type { CatalogTool } from '../../../catalog/catalog.ts'
import type { Caller, Exchange } from '../../../exchange/exchange.ts'
import type { Answer, RequestDetails, Surface, WatchedResources } from '../../../exchange/surface.ts'
import { wrapExchange } from '../../../exchange/wrap-exchange.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../../../protocol/messages.ts'
import { joinName, splitName } from '../../../protocol/server-name.ts'
import { rememberTexts } from '../../../provenance/remember-texts.ts'
import { mayUseServer } from '../../../scope/match-scope.ts'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'
import { inEraOf } from '../answer-call.ts'
import { mayRequest } from '../guard-request.ts'
import { METHOD_NOT_FOUND, type PassDeps } from '../pass-on.ts'
import { recordClosed } from '../record-request.ts'
import { type Located, readAddress, type UiAddresses, writeAddress } from './address.ts'
import { addressesFor, isDeclaredApp } from './find-app.ts'
import { withAddresses } from './links.ts'
import { KINDS, type Kind, type ServerItems } from './list-items.ts'
import { pageItems, type Section } from './page-items.ts'
import type { ServerLists } from './server-lists.ts'
import type { View } from './view.ts'

export interface FrontDeps extends PassDeps {
  servers(): readonly UpstreamServer[]
  /** Returns the surface of one server, which checks, records and forwards each request. */
  surfaceOf(server: string): Surface | undefined
  readonly lists: ServerLists
  readonly items: ServerItems
  readonly apps: UiAddresses
  readonly serverInfo: { readonly name: string; readonly version: string }
}

const READ = 'resources/read'
/** Names the servers that are missing in a list, because they did not answer or their answer was withheld. */
const META_UNAVAILABLE = 'io.hintgate/unavailable'

/** Methods that name one resource. */
const OF_RESOURCE = new Set(['resources/read', 'resources/subscribe', 'resources/unsubscribe'])
const LEGACY_ONLY = new Set(['resources/subscribe', 'resources/unsubscribe'])

/** A request for one server in that server's own names. */
interface ForServer {
  readonly server: string
  readonly params: Json
}

/**
 * Presents the resources, templates, prompts and completions of all servers that a caller may see, under names that say
 * whose they are. Each request then takes the same way as at the endpoint of its server, so no caller can do more here
 * than there.
 */
export class Front {
  readonly #deps: FrontDeps
  readonly #view: View
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()
  readonly #stopListening: () => void

  constructor(deps: FrontDeps, view: View) {
    this.#deps = deps
    this.#view = view
    this.#stopListening = deps.lists.listen((server, news) => this.#publish(server, news))
  }

  /** Returns the capabilities to declare beside `tools`. They do not depend on which servers have started so far. */
  capabilitiesFor({ principal }: Caller): Json {
    if (!mayRequest(principal.scope, READ)) return {}
    return {
      prompts: { listChanged: true },
      resources: { listChanged: true, subscribe: true },
      completions: {},
    }
  }

  /** Returns undefined for a method that is not about resources, prompts or completions. */
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

  /** Replaces the URIs in a tool's result by addresses of this endpoint. */
  address(result: Json, server: string, caller: Caller): Json {
    return withAddresses(result, addressesFor(this.#deps, server, caller))
  }

  /** Returns the address of the app that shows a tool's results; undefined if the tool has none. */
  appAddress(tool: CatalogTool): string | undefined {
    const uri = appOf(tool)
    return uri === undefined ? undefined : this.#deps.apps.write({ server: tool.server, uri })
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
    const { byServer, unknown } = this.#group(caller, Array.isArray(addresses) ? addresses : [])
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
    const { byServer } = this.#group(caller, addresses)
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

  #sees({ principal }: Caller, server: string): boolean {
    const isShown = mayUseServer(principal.scope, server) && this.#view.showsServer(server)
    return isShown && this.#deps.surfaceOf(server) !== undefined
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
      return { ...item, [key]: key === 'name' ? joinName({ server, name: own }) : toAddress(own) }
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

  /** Passes a request about one thing to the surface of its server, and gives the answer its addresses. */
  async #pass(exchange: Exchange): Promise<Answer> {
    const { caller } = exchange
    const target = this.#target(exchange)
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

  #target({ method, caller, params = {} }: Exchange): ForServer | { readonly error: RpcError } {
    if (method === 'prompts/get') {
      const found = this.#findPrompt(caller, params.name)
      return found === undefined
        ? { error: noPrompt(params.name) }
        : { server: found.server, params: { ...params, name: found.name } }
    }
    if (method === 'completion/complete') return this.#targetOfReference(caller, params)
    const located = this.#locate(caller, params.uri)
    return located === undefined
      ? { error: noResource(params.uri) }
      : { server: located.server, params: { ...params, uri: located.uri } }
  }

  /** A reference must name one thing of one server, because servers go by its type or by its members. */
  #targetOfReference(caller: Caller, params: Json): ForServer | { readonly error: RpcError } {
    const ref = isJsonObject(params.ref) ? params.ref : {}
    const { type, name, uri, ...rest } = ref
    if (type === 'ref/prompt') {
      const found = this.#findPrompt(caller, name)
      return found === undefined
        ? { error: noPrompt(name) }
        : { server: found.server, params: { ...params, ref: { ...rest, type, name: found.name } } }
    }
    if (type !== 'ref/resource') return { error: NO_REFERENCE }
    const located = this.#locate(caller, uri)
    return located === undefined
      ? { error: noResource(uri) }
      : { server: located.server, params: { ...params, ref: { ...rest, type, uri: located.uri } } }
  }

  #findPrompt(caller: Caller, name: unknown) {
    const found = splitName(name)
    return found !== undefined && this.#sees(caller, found.server) ? found : undefined
  }

  /** Finds the resource behind an address. A server that the caller may not see is unknown, like one that is not there. */
  #locate(caller: Caller, address: unknown): Located | undefined {
    if (typeof address !== 'string') return undefined
    const app = this.#deps.apps.read(address)
    const located = app !== undefined && isDeclaredApp(this.#deps, app, caller) ? app : readAddress(address)
    return located !== undefined && this.#sees(caller, located.server) ? located : undefined
  }

  #group(caller: Caller, addresses: readonly unknown[]) {
    const byServer = new Map<string, { readonly uri: string; readonly address: string }[]>()
    let unknown: string | undefined
    for (const address of addresses) {
      if (typeof address !== 'string') continue
      const located = this.#locate(caller, address)
      if (located === undefined) unknown ??= address
      else
        byServer.set(located.server, [...(byServer.get(located.server) ?? []), { uri: located.uri, address }])
    }
    return { byServer, unknown }
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
      if (!this.#sees(caller, server) || !mayRequest(caller.principal.scope, READ)) continue
      if (typeof params?.uri !== 'string') onNotification({ jsonrpc: '2.0', method })
      else
        for (const uri of this.#addressesOf({ server, uri: params.uri }, caller))
          onNotification({ jsonrpc: '2.0', method, params: { uri } })
    }
  }

  /** A client watches a resource by one of its addresses. An app has two. */
  #addressesOf(located: Located, caller: Caller): ReadonlySet<string> {
    return new Set([addressesFor(this.#deps, located.server, caller)(located.uri), writeAddress(located)])
  }
}

const UNKNOWN_CURSOR: RpcError = {
  code: RPC.invalidParams,
  message: 'this cursor is unknown; list again without it',
}
const NO_REFERENCE: RpcError = {
  code: RPC.invalidParams,
  message: 'a completion needs a `ref` with the type ref/prompt or ref/resource',
}

function noResource(uri: unknown): RpcError {
  if (typeof uri !== 'string')
    return { code: RPC.invalidParams, message: 'the request needs a `uri`, which must be a string' }
  return { code: RPC.invalidParams, message: `There is no resource ${JSON.stringify(uri)} that you can use.` }
}

function noPrompt(name: unknown): RpcError {
  if (typeof name !== 'string')
    return { code: RPC.invalidParams, message: 'the request needs a `name`, which must be a string' }
  return { code: RPC.invalidParams, message: `There is no prompt ${JSON.stringify(name)} that you can use.` }
}
