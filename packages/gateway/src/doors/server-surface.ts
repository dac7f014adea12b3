import type { IncomingHttpHeaders } from 'node:http'
import type { Caller, Exchange } from '../call/exchange.ts'
import { handleCall } from '../call/handle-call.ts'
import { isVisible } from '../finder/visible.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../protocol/messages.ts'
import type { Owner } from '../upstream/callers.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { answerOf } from './answer-call.ts'
import { checkParamHeaders } from './check-param-headers.ts'
import { limitPassage } from './limit-passage.ts'
import { ListAnswers } from './list-answer.ts'
import { mayPass } from './may-pass.ts'
import { METHOD_NOT_FOUND, type PassDeps, passOn, unavailable } from './pass-on.ts'
import { screenSaid } from './screen-said.ts'
import { Subscriptions } from './subscriptions.ts'
import type { Answer, Description, Following, Surface } from './surface.ts'

/** Methods of one era that the other does not have. */
const LEGACY_ONLY = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])
const MODERN_ONLY = new Set(['server/discover', 'subscriptions/listen'])

/** What is left of a server for who may use nothing but tools of it. */
function onlyTools({ tools }: Json): Json {
  return tools === undefined ? {} : { tools }
}

const LISTS_CHANGED = new Set(['notifications/prompts/list_changed', 'notifications/resources/list_changed'])

/** One server as if the client spoke to it directly: its own names, resources, prompts and completions. */
export class ServerSurface implements Surface {
  readonly #server: UpstreamServer
  readonly #deps: PassDeps
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()
  readonly #subscriptions: Subscriptions
  readonly #lists = new ListAnswers()
  readonly #stopListening: () => void

  constructor(server: UpstreamServer, deps: PassDeps) {
    this.#server = server
    this.#deps = deps
    this.#subscriptions = new Subscriptions(server, notification => this.#spread(notification))
    server.screenWith(said => screenSaid(said, deps.rules().results(server.name)))
    server.listen({
      onReady: () => {
        this.#subscriptions.restart()
        void deps.catalog.ensure(server)
      },
      onEvent: (notification, owner) => this.#spread(notification, owner),
      onDown: () => {},
    })
    this.#stopListening = deps.catalog.onChange(change => {
      if (change.server !== server.name) return
      this.#lists.forget()
      if (!change.isFirst)
        this.#tell({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, () => true)
    })
  }

  async describe(caller: Caller): Promise<Description | RpcError> {
    try {
      const { capabilities: all, serverInfo, instructions: said } = await this.#server.ready()
      // A call that becomes a task would bring its result by a way that nobody looks at.
      const { tasks: _tasks, ...capabilities } = all
      const instructions = await this.#deps.others.approvedInstructions(this.#server, said)
      const offered = mayPass(caller.principal.scope, READ) ? capabilities : onlyTools(capabilities)
      return { capabilities: offered, serverInfo, ...(instructions === undefined ? {} : { instructions }) }
    } catch {
      return unavailable(this.#server)
    }
  }

  handle(exchange: Exchange): Promise<Answer> {
    return exchange.method === 'tools/call' ? this.#callTool(exchange) : this.#handleOther(exchange)
  }

  async #handleOther(exchange: Exchange): Promise<Answer> {
    const { method, caller } = exchange
    const isForeign = caller.era === 'modern' ? LEGACY_ONLY.has(method) : MODERN_ONLY.has(method)
    if (isForeign) return { error: METHOD_NOT_FOUND }
    switch (method) {
      case 'ping':
        return { result: {} }
      case 'tools/list':
        return this.#listTools(exchange)
      case 'logging/setLevel':
        return this.#setLevel(exchange)
      case 'resources/subscribe':
      case 'resources/unsubscribe':
        return this.#subscribe(exchange)
      default:
        return passOn(exchange, { server: this.#server, deps: this.#deps })
    }
  }

  /** What a client says of its roots is for a server that it has to itself, where an operator wants that. */
  hear(caller: Caller, notification: Notification): void {
    const { config, handshake } = this.#server
    const isForServer =
      notification.method === 'notifications/roots/list_changed' &&
      config.roots === 'client' &&
      handshake?.era === 'legacy'
    if (isForServer) this.#server.notify(notification.method, undefined, caller.session)
  }

  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
    const watcher = { caller, onNotification }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  follow(caller: Caller, uris: readonly string[]): Following {
    return this.#subscriptions.follow(caller.principal.id, uris)
  }

  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined {
    const tool = this.#deps.catalog.find(this.#server.name, String(params.name))
    const isKnown = tool !== undefined && isVisible(tool, caller)
    return isKnown ? checkParamHeaders(tool.paramHeaders, params.arguments, request) : undefined
  }

  /** The server was taken out of the config. */
  close(): void {
    this.#stopListening()
    this.#subscriptions.close()
  }

  release(caller: Caller): void {
    this.#server.release(caller.session)
  }

  /** The session tells `follow` what it watches; the server is told once for all sessions. */
  async #subscribe(exchange: Exchange): Promise<Answer> {
    const { method, params } = exchange
    const { principal } = exchange.caller
    if (!mayPass(principal.scope, READ)) return { error: METHOD_NOT_FOUND }
    if (typeof params?.uri !== 'string')
      return { error: { code: RPC.invalidParams, message: 'a resource needs a uri' } }
    const limited = await limitPassage(exchange, this.#server.name, this.#deps)
    if (limited !== undefined) return { error: limited }
    const isRoom = method === 'resources/unsubscribe' || this.#subscriptions.hasRoom(principal.id, params.uri)
    return isRoom ? { result: {} } : { error: { code: RPC.generic, message: 'too many subscriptions' } }
  }

  async #listTools({ caller, params }: Exchange): Promise<Answer> {
    await this.#deps.catalog.ensure(this.#server)
    if (!this.#deps.catalog.isKnown(this.#server.name)) return { error: unavailable(this.#server) }
    if (params?.cursor !== undefined)
      return { error: { code: RPC.invalidParams, message: 'there is no such page' } }
    const { name, handshake } = this.#server
    return this.#lists.answer(caller, handshake, () =>
      this.#deps.catalog
        .tools(name)
        .filter(tool => isVisible(tool, caller))
        .map(tool => ({ tool, shown: tool.shown })),
    )
  }

  async #callTool(exchange: Exchange): Promise<Answer> {
    const name = exchange.params?.name
    if (typeof name !== 'string')
      return { error: { code: RPC.invalidParams, message: 'tools/call needs a `name`' } }
    const outcome = await handleCall(
      { exchange, server: this.#server.name, tool: name, typed: name, params: exchange.params ?? {} },
      this.#deps,
    )
    return answerOf(outcome, exchange.caller, this.#server.handshake)
  }

  /** A modern server hears the level with every request, an older one once. */
  async #setLevel(exchange: Exchange): Promise<Answer> {
    return this.#server.handshake?.era === 'modern'
      ? { result: {} }
      : passOn(exchange, { server: this.#server, deps: this.#deps })
  }

  /** What the server says to nobody in particular. Its tools are ours to announce, when we know the new list. */
  #spread(notification: Notification, owner?: Owner): void {
    const { method } = notification
    if (method === 'notifications/subscriptions/acknowledged') return
    if (LISTS_CHANGED.has(method)) this.#deps.others.forget(this.#server.name)
    if (method === 'notifications/tools/list_changed') this.#deps.catalog.refresh(this.#server)
    else if (LISTS_CHANGED.has(method) || method === 'notifications/resources/updated')
      this.#tell(withoutSubscription(notification), ({ principal }) => mayPass(principal.scope, READ))
    else if (owner !== undefined)
      // A log line may speak of one caller's data.
      this.#tell(notification, caller => isOf(owner, caller) && mayPass(caller.principal.scope, READ))
  }

  #tell(notification: Notification, mayHear: (caller: Caller) => boolean): void {
    for (const { caller, onNotification } of this.#watchers) if (mayHear(caller)) onNotification(notification)
  }
}

/** Stands for everything that is no tool. */
const READ = 'resources/read'

function isOf({ principal, session }: Owner, caller: Caller): boolean {
  return caller.principal.id === principal && caller.session === session
}

/** Our subscription upstream has its own id, which means nothing to clients. */
function withoutSubscription(notification: Notification): Notification {
  const meta = notification.params?._meta
  if (!isJsonObject(meta)) return notification
  const { 'io.modelcontextprotocol/subscriptionId': _id, ...rest } = meta
  const { _meta, ...params } = notification.params ?? {}
  return { ...notification, params: Object.keys(rest).length === 0 ? params : { ...params, _meta: rest } }
}
