import type { IncomingHttpHeaders } from 'node:http'
import { CALL_VARIANTS } from '@hintgate/metadata'
import type { CallDeps } from '../call/call-deps.ts'
import type { Caller, Exchange } from '../call/exchange.ts'
import { explainNoAnswer } from '../call/explain-no-answer.ts'
import { forward } from '../call/forward.ts'
import { handleCall } from '../call/handle-call.ts'
import { OTHERS, type OtherDefinitions } from '../catalog/other-definitions.ts'
import { isVisible } from '../finder/visible.ts'
import { isJsonObject, type Json, type Notification, RPC, type RpcError } from '../protocol/messages.ts'
import { checkResult } from '../results/check-result.ts'
import { mayCall } from '../tokens/match-scope.ts'
import type { Scope } from '../tokens/scope.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Reason } from '../verdict/facts.ts'
import { answerOf, inEraOf } from './answer-call.ts'
import { checkParamHeaders } from './check-param-headers.ts'
import { ListAnswers } from './list-answer.ts'
import { Subscriptions } from './subscriptions.ts'
import type { Answer, Description, Surface } from './surface.ts'

/** Methods of one era that the other does not have. */
const LEGACY_ONLY = new Set([
  'initialize',
  'ping',
  'logging/setLevel',
  'resources/subscribe',
  'resources/unsubscribe',
])
const MODERN_ONLY = new Set(['server/discover', 'subscriptions/listen'])

/** What is not a tool call and only reads. */
const READS = new Set([
  'prompts/list',
  'prompts/get',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'completion/complete',
  'logging/setLevel',
])

/**
 * Whether a caller may use a method that is no tool call. A token for certain tools is for nothing else; and of a method
 * that nobody knows, nobody knows what it does, so it takes every permission there is.
 */
function mayPass(scope: Scope, method: string): boolean {
  if (scope.tools !== undefined) return false
  return READS.has(method)
    ? mayCall(scope, 'call_tool_read')
    : CALL_VARIANTS.every(variant => mayCall(scope, variant))
}

/** What is left of a server for who may use nothing but tools of it. */
function onlyTools({ tools }: Json): Json {
  return tools === undefined ? {} : { tools }
}

const OTHER_KINDS = ['prompt', 'template'] as const
const LISTS_CHANGED = new Set(['notifications/prompts/list_changed', 'notifications/resources/list_changed'])

const METHOD_NOT_FOUND: RpcError = { code: RPC.methodNotFound, message: 'Method not found' }

export interface ServerSurfaceDeps extends CallDeps {
  readonly others: OtherDefinitions
}

/** One server as if the client spoke to it directly: its own names, resources, prompts and completions. */
export class ServerSurface implements Surface {
  readonly #server: UpstreamServer
  readonly #deps: ServerSurfaceDeps
  readonly #watchers = new Set<{ caller: Caller; onNotification: (notification: Notification) => void }>()
  readonly #subscriptions: Subscriptions
  readonly #lists = new ListAnswers()
  readonly #stopListening: () => void

  constructor(server: UpstreamServer, deps: ServerSurfaceDeps) {
    this.#server = server
    this.#deps = deps
    this.#subscriptions = new Subscriptions(server, notification => this.#spread(notification))
    server.listen({
      onReady: () => {
        this.#subscriptions.restart()
        void deps.catalog.ensure(server)
      },
      onEvent: notification => this.#spread(notification),
      onDown: () => {},
    })
    this.#stopListening = deps.catalog.onChange(change => {
      if (change.server !== server.name) return
      this.#lists.forget()
      if (!change.isFirst) this.#tellAll({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' })
    })
  }

  async describe(caller: Caller): Promise<Description | RpcError> {
    try {
      const { capabilities: all, serverInfo, instructions: said } = await this.#server.ready()
      // A call that becomes a task would bring its result by a way that nobody looks at.
      const { tasks: _tasks, ...capabilities } = all
      const instructions = await this.#deps.others.approvedInstructions(this.#server, said)
      const offered = mayPass(caller.principal.scope, 'resources/read')
        ? capabilities
        : onlyTools(capabilities)
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
        // The session tells `follow` what it watches; the server is told once for all sessions.
        return mayPass(caller.principal.scope, 'resources/read')
          ? { result: {} }
          : { error: METHOD_NOT_FOUND }
      default:
        return this.#pass(exchange)
    }
  }

  hear(caller: Caller, notification: Notification): void {
    const isForServer =
      notification.method === 'notifications/roots/list_changed' && this.#server.handshake?.era === 'legacy'
    if (isForServer) this.#server.notify(notification.method, notification.params, caller.session)
  }

  watch(caller: Caller, onNotification: (notification: Notification) => void): () => void {
    const watcher = { caller, onNotification }
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }

  follow(_caller: Caller, uris: readonly string[]): () => void {
    return uris.length === 0 ? () => {} : this.#subscriptions.follow(uris)
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
    return this.#server.handshake?.era === 'modern' ? { result: {} } : this.#pass(exchange)
  }

  async #pass(exchange: Exchange): Promise<Answer> {
    const { caller, method, params } = exchange
    if (method.startsWith('tasks/') || !mayPass(caller.principal.scope, method))
      return { error: METHOD_NOT_FOUND }
    const held = await this.#refuseHeldPrompt(method, params)
    if (held !== undefined) return { error: held }
    const reply = await forward(exchange, { server: this.#server, method, params })
    if (reply.kind === 'cancelled') return { cancelled: true }
    if (reply.kind !== 'answer') return { error: noAnswer(this.#server.name, reply) }
    if (reply.message.error !== undefined) return { error: reply.message.error }
    const result = await this.#keepApproved(method, reply.message.result ?? {})
    const rules = this.#deps.rules().results(this.#server.name)
    const checked = checkResult(result, { rules, isOpenWorld: true, misfit: undefined })
    if (checked.kind === 'blocked') return { error: heldBack(checked.reasons) }
    return inEraOf(caller, method, checked.kind === 'clean' ? result : checked.result, this.#server.handshake)
  }

  /** Of what a server lists, only what an operator approved just as it is. */
  async #keepApproved(method: string, result: Json): Promise<Json> {
    const kind = OTHER_KINDS.find(other => OTHERS[other].method === method)
    if (kind === undefined || this.#deps.others.isOpen) return result
    const { member } = OTHERS[kind]
    const items = Array.isArray(result[member]) ? result[member] : []
    return { ...result, [member]: await this.#deps.others.keepApproved(this.#server, kind, items) }
  }

  /** A prompt that waits for review answers like one that does not exist. */
  async #refuseHeldPrompt(method: string, params: Json | undefined): Promise<RpcError | undefined> {
    const ref = isJsonObject(params?.ref) ? params.ref : {}
    const name =
      method === 'prompts/get' ? params?.name : method === 'completion/complete' ? ref.name : undefined
    if (typeof name !== 'string' || this.#deps.others.isOpen) return undefined
    if (await this.#deps.others.isApproved(this.#server, 'prompt', name)) return undefined
    return { code: RPC.invalidParams, message: `There is no prompt ${JSON.stringify(name)} for you.` }
  }

  /** What the server says to nobody in particular. Its tools are ours to announce, when we know the new list. */
  #spread(notification: Notification): void {
    if (notification.method === 'notifications/subscriptions/acknowledged') return
    if (LISTS_CHANGED.has(notification.method)) this.#deps.others.forget(this.#server.name)
    if (notification.method === 'notifications/tools/list_changed') this.#deps.catalog.refresh(this.#server)
    else if (notification.method === 'notifications/message') this.#tellOnlyOne(notification)
    else this.#tellAll(withoutSubscription(notification))
  }

  #tellAll(notification: Notification): void {
    for (const { onNotification } of this.#watchers) onNotification(notification)
  }

  /** A log line may speak of one caller's data; with several callers nobody can tell whose. */
  #tellOnlyOne(notification: Notification): void {
    const principals = new Set([...this.#watchers].map(({ caller }) => caller.principal.id))
    if (principals.size === 1) this.#tellAll(notification)
  }
}

function heldBack(reasons: readonly Reason[]): RpcError {
  const why = reasons.map(({ text }) => text).join('; ')
  return {
    code: RPC.internal,
    message: `The answer was held back: ${why}`,
    data: { code: 'guardrail_blocked' },
  }
}

function unavailable({ name, lastFailure }: UpstreamServer): RpcError {
  return noAnswer(
    name,
    lastFailure === undefined ? { kind: 'timeout' } : { kind: 'failure', failure: lastFailure },
  )
}

function noAnswer(server: string, reply: Exclude<ServerReply, { kind: 'answer' | 'cancelled' }>): RpcError {
  const { code, text } = explainNoAnswer(reply)
  return {
    code: RPC.internal,
    message: `The server ${JSON.stringify(server)} gave no answer: ${text}`,
    data: { code },
  }
}

/** Our subscription upstream has its own id, which means nothing to clients. */
function withoutSubscription(notification: Notification): Notification {
  const meta = notification.params?._meta
  if (!isJsonObject(meta)) return notification
  const { 'io.modelcontextprotocol/subscriptionId': _id, ...rest } = meta
  const { _meta, ...params } = notification.params ?? {}
  return { ...notification, params: Object.keys(rest).length === 0 ? params : { ...params, _meta: rest } }
}
