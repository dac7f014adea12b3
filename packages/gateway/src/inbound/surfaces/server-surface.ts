import type { IncomingHttpHeaders } from 'node:http'
import { InOrder } from '../../base/in-order.ts'
import { handleCall } from '../../call/handle-call.ts'
import type { Caller, Exchange } from '../../exchange/exchange.ts'
import type {
  Answer,
  Description,
  RequestDetails,
  Surface,
  WatchedResources,
} from '../../exchange/surface.ts'
import { wrapExchange } from '../../exchange/wrap-exchange.ts'
import type { ResultRules } from '../../policy/rules.ts'
import { type Json, type Notification, RPC, type RpcError } from '../../protocol/messages.ts'
import { readLogLevel } from '../../protocol/modern.ts'
import { isText } from '../../protocol/parse-json.ts'
import { rememberTexts } from '../../provenance/remember-texts.ts'
import type { Beside } from '../../results/check-result.ts'
import { isVisible } from '../../search/visible.ts'
import type { Owner } from '../../upstream/connection/callers.ts'
import { connectionOf } from '../../upstream/connection/pending-calls.ts'
import { LISTS_CHANGED } from '../../upstream/connection/server-methods.ts'
import type { Handshake } from '../../upstream/connection/upstream-request.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { answerOf } from './answer-call.ts'
import { checkParamHeaders } from './check-param-headers.ts'
import { describeServer } from './describe-server.ts'
import { limitRequest, mayRequest } from './guard-request.ts'
import { ListAnswers } from './list-answer.ts'
import { METHOD_NOT_FOUND, type PassDeps, pass, passOn, refused, send, unavailable } from './pass-on.ts'
import { recordClosed } from './record-request.ts'
import { screenNotification, screenQuestion } from './screen-server-messages.ts'
import { SharedLevel } from './shared-level.ts'
import { showInstructions } from './show-instructions.ts'
import { Subscriptions } from './subscriptions.ts'

type OnNews = (server: string, news: Notification) => void

/** Methods that exist only in the legacy era. `MODERN_ONLY` has those of the modern era. */
const LEGACY_ONLY = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])
const MODERN_ONLY = new Set(['server/discover', 'subscriptions/listen'])

/** Returns the capabilities to show to a caller that is allowed to use only tools. */
function onlyTools({ tools }: Json): Json {
  return tools === undefined ? {} : { tools }
}

/**
 * Presents one server as if the client were directly connected to it, with the server's own names, resources, prompts
 * and completions.
 */
export class ServerSurface implements Omit<Surface, 'watchTasks'> {
  readonly #server: UpstreamServer
  readonly #deps: PassDeps
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()
  readonly #subscriptions: Subscriptions
  readonly #level = new SharedLevel()
  readonly #lists = new ListAnswers()
  readonly #late = new InOrder()
  readonly #stopListening: () => void
  readonly #onNews: OnNews

  /** `onNews` is called with announcements of the server that concern all of its callers. */
  constructor(server: UpstreamServer, deps: PassDeps, onNews: OnNews = () => {}) {
    this.#server = server
    this.#deps = deps
    this.#onNews = onNews
    this.#subscriptions = new Subscriptions(server, notification => this.#publish(notification))
    server.screenWith({
      checkNotification: params => (this.#isHeld() ? undefined : screenNotification(params, this.#rules)),
      checkQuestion: params =>
        this.#isHeld() ? undefined : screenQuestion(params, this.#rules, this.#beside),
    })
    server.listen({
      onReady: () => {
        this.#subscriptions.restart()
        if (server.handshake?.era === 'legacy') this.#sendLevel(this.#level.current())
        void deps.catalog.ensure(server)
      },
      onEvent: (notification, owner) => this.#publish(notification, owner),
      onDown: () => {},
    })
    this.#stopListening = deps.catalog.onChange(change => {
      if (change.server !== server.name) return
      this.#lists.forget()
      if (!change.isFirst)
        this.#notifyWatchers({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' }, () => true)
    })
  }

  get #target() {
    return { server: this.#server, deps: this.#deps }
  }

  get #rules(): ResultRules {
    return this.#deps.rules().results(this.#server.name)
  }

  get #beside(): Beside {
    return { searcher: this.#deps.searcher, owner: `server:${this.#server.name}` }
  }

  async describe(caller: Caller): Promise<Description | RpcError> {
    try {
      const handshake = await this.#server.ready()
      // Makes sure that the catalog knows whether the server really waits for review.
      if (this.#isHeld()) await this.#deps.catalog.ensure(this.#server)
      const instructions = await this.#instructionsIn(handshake)
      const introduction = describeServer(this.#server, this.#deps)
      if (introduction === undefined) return unavailable(this.#target)
      const { capabilities, serverInfo } = introduction
      const offered = mayRequest(caller.principal.scope, READ) ? capabilities : onlyTools(capabilities)
      return { capabilities: offered, serverInfo, ...(instructions === undefined ? {} : { instructions }) }
    } catch {
      return unavailable(this.#target)
    }
  }

  /** Returns the server's instructions if their whole text is approved, even if agents see only a part of it. */
  async #instructionsIn(handshake: Handshake): Promise<string | undefined> {
    const approved = await this.#deps.others.approvedInstructions(this.#server, handshake.instructions)
    return approved === undefined ? undefined : showInstructions(handshake, this.#rules, this.#beside)
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
        return this.#subscribe(exchange)
      case 'resources/unsubscribe':
        return this.#unsubscribe(exchange)
      default:
        return this.#pass(exchange)
    }
  }

  #pass(exchange: Exchange): Promise<Answer> {
    return passOn(this.#muted(exchange), this.#target)
  }

  #muted(exchange: Exchange): Exchange {
    return mute(exchange, () => this.#isHeld())
  }

  #isHeld(): boolean {
    return this.#deps.catalog.isWhollyHeld(this.#server)
  }

  /**
   * Passes on a change of a client's roots, but only if the server is not shared with other clients and the operator
   * allows it.
   */
  receive(caller: Caller, notification: Notification): void {
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

  async admit(wanted: RequestDetails): Promise<RpcError | undefined> {
    const answer = await pass(wanted, this.#target, async () => ({ answer: { result: {} } }))
    return 'error' in answer ? answer.error : undefined
  }

  watchResources(caller: Caller, uris: readonly string[]): WatchedResources {
    return this.#subscriptions.watchResources(caller.principal.id, uris)
  }

  checkParamHeaders(
    caller: Caller,
    params: Json,
    request: { readonly headers: IncomingHttpHeaders },
  ): string | undefined {
    const { name } = params
    const tool = typeof name === 'string' ? this.#deps.catalog.find(this.#server.name, name) : undefined
    // Most tools declare no headers that repeat an argument.
    if (tool === undefined || tool.paramHeaders.length === 0 || !isVisible(tool, caller)) return undefined
    return checkParamHeaders(tool.paramHeaders, params.arguments, request)
  }

  /** Called when the server is removed from the config. */
  close(): void {
    this.#stopListening()
    this.#subscriptions.close()
  }

  release(caller: Caller): void {
    this.#releaseLevel(connectionOf(caller))
    this.#server.release(caller.session)
  }

  /**
   * Checks and records a subscription. The session then calls `watchResources`, because sessions share one subscription
   * at the server.
   */
  #subscribe(exchange: Exchange): Promise<Answer> {
    const { params, caller } = exchange
    return pass(exchange, this.#target, async () => {
      const isRoom =
        typeof params?.uri === 'string' && this.#subscriptions.hasRoom(caller.principal.id, params.uri)
      return isRoom ? { answer: { result: {} } } : refused(TOO_MANY)
    })
  }

  /** Records the end of a subscription. The usual checks are left out, because the server receives nothing new. */
  async #unsubscribe(exchange: Exchange): Promise<Answer> {
    const place = { server: this.#server.name, recorder: this.#deps.recorder }
    if (!mayRequest(exchange.caller.principal.scope, READ))
      return recordClosed(exchange, place, { error: METHOD_NOT_FOUND, code: 'permission_denied' })
    if (typeof exchange.params?.uri !== 'string')
      return {
        error: { code: RPC.invalidParams, message: 'the request needs a `uri`, which must be a string' },
      }
    const limited = await limitRequest(exchange, this.#server.name, this.#deps)
    if (limited === undefined) return { result: {} }
    return recordClosed(exchange, place, { error: limited, code: limited.data?.code ?? 'rate_limited' })
  }

  async #listTools({ caller, params }: Exchange): Promise<Answer> {
    await this.#deps.catalog.ensure(this.#server)
    if (!this.#deps.catalog.isKnown(this.#server.name)) return { error: unavailable(this.#target) }
    if (params?.cursor !== undefined)
      return { error: { code: RPC.invalidParams, message: 'this cursor is unknown; list again without it' } }
    const { name } = this.#server
    return this.#lists.answer(caller, describeServer(this.#server, this.#deps), () =>
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
      {
        exchange,
        server: this.#server.name,
        tool: name,
        typed: name,
        params: exchange.params ?? {},
        isForApps: true,
      },
      this.#deps,
    )
    return answerOf(outcome, exchange.caller, describeServer(this.#server, this.#deps))
  }

  /**
   * Sets the log level. A modern server receives the level with every request, a legacy server only once. A shared
   * server has one level for all callers.
   */
  async #setLevel(exchange: Exchange): Promise<Answer> {
    const { handshake, config } = this.#server
    if (handshake?.era === 'modern') return { result: {} }
    return config.isolation === 'session' ? this.#pass(exchange) : this.#shareLevel(this.#muted(exchange))
  }

  #shareLevel(exchange: Exchange): Promise<Answer> {
    const { params, caller } = exchange
    const session = connectionOf(caller)
    return pass(exchange, this.#target, async counter => {
      const level = readLogLevel(params?.level)
      if (level === undefined) return refused(NO_LEVEL)
      const lowest = this.#level.request(session, level)
      // If the session ends while this request waits, nothing else releases the session's level.
      exchange.onCancel(() => this.#releaseLevel(session))
      const sent = wrapExchange(exchange, { params: { ...params, level: lowest } })
      const passed = await send(sent, this.#target, counter)
      if ('error' in passed.answer) this.#releaseLevel(session)
      return passed
    })
  }

  #releaseLevel(session: string): void {
    this.#sendLevel(this.#level.release(session))
  }

  /** Sends a log level to the server without waiting for the answer. */
  #sendLevel(level: string | undefined): void {
    if (level === undefined) return
    this.#server.send({
      method: 'logging/setLevel',
      params: { level },
      envelope: this.#server.ownEnvelope,
      timeoutMs: LEVEL_MS,
      session: '',
    })
  }

  /**
   * Passes on server messages that do not belong to an open call. A change of tools is announced by the gateway itself,
   * once it has the new list.
   */
  #publish(notification: Notification, owner?: Owner): void {
    const { method } = notification
    if (method === 'notifications/subscriptions/acknowledged') return
    if (method === 'notifications/tools/list_changed') return this.#deps.catalog.refresh(this.#server)
    if (LISTS_CHANGED.has(method)) this.#deps.others.forget(this.#server.name)
    if (this.#isHeld()) return
    const news = publicPartOf(notification)
    if (news !== undefined) {
      this.#onNews(this.#server.name, news)
      this.#notifyWatchers(news, ({ principal }) => mayRequest(principal.scope, READ))
    } else if (owner !== undefined)
      // A log line can contain one caller's data, so only that caller receives it.
      this.#late.do(this.#rememberLate(notification, owner), () =>
        this.#notifyWatchers(
          notification,
          caller => isOf(owner, caller) && mayRequest(caller.principal.scope, READ),
        ),
      )
  }

  /** Remembers a log line that arrives after its call has ended, in the same way as one that arrives during a call. */
  #rememberLate({ method, params }: Notification, { principal, session }: Owner): undefined | Promise<void> {
    const { passages } = this.#deps
    const source = { server: this.#server.name, tool: method, request: '', session, at: Date.now() }
    return rememberTexts(params, { memory: passages, principal, source, args: undefined })
  }

  #notifyWatchers(notification: Notification, isRequestedLog: (caller: Caller) => boolean): void {
    for (const { caller, onNotification } of this.#watchers)
      if (isRequestedLog(caller)) onNotification(notification)
  }
}

const NO_LEVEL = {
  code: RPC.invalidParams,
  message: 'this log level is unknown; use one of the levels of the MCP specification',
}
const LEVEL_MS = 10_000
const TOO_MANY = {
  code: RPC.generic,
  message: 'there are too many subscriptions, or their URIs are too long; end some of them first',
}

/** In permission checks, this method stands for all requests that are not tool calls. */
const READ = 'resources/read'

function isOf({ principal, session }: Owner, caller: Caller): boolean {
  return caller.principal.id === principal && caller.session === session
}

/**
 * Returns the part of a notification that every session is allowed to receive: its method and, for an update, the URI.
 * The id of the gateway's own subscription is left out, because it means nothing to clients.
 */
function publicPartOf({ method, params }: Notification): Notification | undefined {
  if (LISTS_CHANGED.has(method)) return { jsonrpc: '2.0', method }
  const isUpdate = method === 'notifications/resources/updated' && isText(params?.uri)
  return isUpdate ? { jsonrpc: '2.0', method, params: { uri: params?.uri } } : undefined
}

const HELD_SERVER: RpcError = {
  code: RPC.internal,
  message: 'no client can be asked, because the server is waiting for review',
}

/** Wraps an exchange so that a server that waits for review can neither send notifications nor ask questions. */
function mute(exchange: Exchange, isHeld: () => boolean): Exchange {
  return wrapExchange(exchange, {
    notify: notification => {
      if (!isHeld()) exchange.notify(notification)
    },
    ask: ask => (isHeld() ? Promise.resolve({ error: HELD_SERVER }) : exchange.ask(ask)),
  })
}
