import type { Readable, Writable } from 'node:stream'
import type { Limits } from '../../config/config.ts'
import { cancelReason } from '../../exchange/cancel-reason.ts'
import { type Caller, sessionOf } from '../../exchange/exchange.ts'
import type { Answer, Surface, WatchedResources } from '../../exchange/surface.ts'
import {
  errorResponse,
  type Id,
  isJsonObject,
  isNotification,
  isRequest,
  type Json,
  type Message,
  type Notification,
  type Request,
  RPC,
  readMessage,
} from '../../protocol/messages.ts'
import {
  type Envelope,
  LEGACY_VERSIONS,
  META,
  MODERN_VERSION,
  readEnvelope,
  readLogLevel,
} from '../../protocol/modern.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { refuseOdd } from '../../protocol/refuse-odd.ts'
import { hasExpired, type Principal } from '../../scope/scope.ts'
import type { Era } from '../../store/store.ts'
import { createLineSplitter } from '../../upstream/stdio/line-splitter.ts'
import { type CallOutput, LegacyCall, legacyEnvelope } from '../legacy/legacy-call.ts'
import { Questions } from '../legacy/questions.ts'
import { findOrStart } from '../modern/modern-transport.ts'
import { LOST_STATE, ParkedCalls } from '../modern/parked-calls.ts'
import { writeAnswer } from '../surfaces/answer-call.ts'
import { listen } from '../wire/listen.ts'
import { isSevereEnough, isWatched } from '../wire/to-client.ts'

export interface StdioDeps {
  readonly input: Readable
  readonly output: Writable
  readonly surface: Surface
  readonly principal: Principal
  readonly limits: Limits
}

/** A call or subscription that has not ended yet. */
interface Running {
  cancel(reason?: string): void
}

/** Serves a surface to one client over a pipe, with one message per line. */
export class StdioTransport {
  readonly #deps: StdioDeps
  readonly #running = new Map<Id, Running>()
  readonly #questions: Questions
  readonly #parked: ParkedCalls
  readonly #watched = new Map<string, WatchedResources>()
  #legacy: Envelope | undefined
  #stopWatching: (() => void) | undefined
  #onIdle: (() => void) | undefined
  #principal: Principal
  #end: () => void = () => {}
  #isOver = false

  constructor(deps: StdioDeps) {
    this.#deps = deps
    this.#principal = deps.principal
    this.#questions = new Questions(deps.limits.parkedMs)
    this.#parked = new ParkedCalls(deps.limits)
  }

  get principal(): Principal {
    return this.#principal
  }

  /**
   * Updates the principal after its token was checked again. Undefined means that it has lost its access, which ends
   * the connection.
   */
  admit(principal: Principal | undefined): void {
    if (principal === undefined) this.#disconnect()
    else this.#principal = principal
  }

  /** Ends the connection immediately. Open calls get no time to finish, unlike when a client leaves. */
  #disconnect(): void {
    this.#isOver = true
    this.close()
    this.#end()
  }

  /** Serves requests until the client closes its end of the pipe or loses its access. */
  serve(): Promise<void> {
    const { input, limits } = this.#deps
    const tooLong = (): void =>
      this.#write(
        errorResponse(null, {
          code: RPC.generic,
          message: `the message is too long; send at most ${limits.bodyBytes} bytes`,
        }),
      )
    input.on(
      'data',
      createLineSplitter(limits.bodyBytes, line => this.#receive(line), tooLong),
    )
    return new Promise(resolve => {
      this.#end = resolve
      input.once('end', resolve)
      input.once('close', resolve)
    })
  }

  /** Waits up to `ms` milliseconds for open calls to finish. */
  async drain(ms: number): Promise<void> {
    if (this.#running.size === 0 || this.#isOver) return
    await new Promise<void>(resolve => {
      const timer = setTimeout(resolve, ms)
      this.#onIdle = () => {
        clearTimeout(timer)
        resolve()
      }
    })
  }

  #done(id: Id): void {
    this.#running.delete(id)
    if (this.#running.size === 0) this.#onIdle?.()
  }

  close(): void {
    for (const running of this.#running.values()) running.cancel('the client closed the connection')
    for (const following of this.#watched.values()) following.stop()
    this.#stopWatching?.()
    this.#questions.close()
    this.#parked.close()
  }

  #receive(line: string): void {
    if (line.trim() === '' || this.#isOver) return
    const { batch, jsonDepth, members } = this.#deps.limits
    const parsed = parseJson(line, jsonDepth, members)
    if (!parsed.ok)
      return this.#write(errorResponse(null, { code: RPC.parse, message: `Parse error: ${parsed.reason}` }))
    const values = Array.isArray(parsed.value) ? parsed.value : [parsed.value]
    if (values.length === 0 || values.length > batch) {
      const message = `a batch must contain from 1 to ${batch} messages`
      return this.#write(errorResponse(null, { code: RPC.invalidRequest, message }))
    }
    for (const value of values) {
      const refusal = refuseOdd(value)
      const message = readMessage(value)
      if (refusal !== undefined) this.#write(refusal)
      else if (message === undefined)
        this.#write(errorResponse(null, { code: RPC.invalidRequest, message: 'Invalid Request' }))
      else this.#dispatch(message)
    }
  }

  #dispatch(message: Message): void {
    if (this.#isOver) return
    if (isNotification(message)) return this.#receiveNotification(message)
    if (!isRequest(message)) return this.#questions.receive(message)
    if (hasExpired(this.#principal, Date.now())) return this.#refuseExpired(message)
    const meta = message.params?._meta
    const version = isJsonObject(meta) ? meta[META.protocolVersion] : undefined
    if (version === undefined) void this.#handleLegacy(message)
    else if (version === MODERN_VERSION) void this.#handleModern(message)
    else {
      const data = { supported: [MODERN_VERSION], requested: version }
      this.#write(
        errorResponse(message.id, {
          code: RPC.unsupportedVersion,
          message: 'Unsupported protocol version',
          data,
        }),
      )
    }
  }

  #refuseExpired({ id }: Request): void {
    const message = `the token of ${this.#principal.name} has expired; connect again with a new one`
    this.#write(errorResponse(id, { code: RPC.generic, message }))
    this.#disconnect()
  }

  #receiveNotification(notification: Notification): void {
    if (notification.method !== 'notifications/cancelled')
      return this.#deps.surface.receive(this.#caller('legacy'), notification)
    this.#running.get(notification.params?.requestId as Id)?.cancel(cancelReason(notification.params))
  }

  async #handleModern(request: Request): Promise<void> {
    const caller = this.#caller('modern', request.params)
    if (request.method === 'subscriptions/listen') return this.#listen(request, caller)
    const sink = {
      notify: (notification: Notification): void => this.#write(notification),
      finish: (answer: Answer): void => {
        if (!('cancelled' in answer)) this.#writeText(writeAnswer(request.id, answer))
        this.#done(request.id)
      },
    }
    const { surface } = this.#deps
    const call = findOrStart({ caller, request, params: request.params, sink, surface }, this.#parked)
    if (call === undefined) this.#write(errorResponse(request.id, LOST_STATE))
    else if (!call.isAnswered) this.#running.set(request.id, call)
  }

  async #listen(request: Request, caller: Caller): Promise<void> {
    const open = () => ({ send: (text: string): void => this.#writeText(text), end() {} })
    const listened = await listen({ caller, request, surface: this.#deps.surface, open })
    if ('error' in listened) return this.#write(errorResponse(request.id, listened.error))
    this.#running.set(request.id, { cancel: () => listened.stop() })
  }

  async #handleLegacy(request: Request): Promise<void> {
    if (request.method === 'initialize') return this.#initialize(request)
    const caller = this.#caller('legacy')
    const call = new LegacyCall(request, caller, this.#outputOf(request))
    this.#running.set(request.id, call)
    const answer = await this.#deps.surface.handle(call)
    this.#questions.end(request)
    if ('result' in answer) this.#remember(request)
    if (!('cancelled' in answer)) this.#writeText(writeAnswer(request.id, answer))
    this.#done(request.id)
  }

  #outputOf(call: Request): CallOutput {
    return {
      send: message => this.#write(message),
      stream() {},
      ask: ask => this.#questions.ask(ask, { call, send: text => this.#writeText(text) }),
    }
  }

  async #initialize(request: Request): Promise<void> {
    const { protocolVersion } = request.params ?? {}
    this.#legacy = legacyEnvelope(request.params ?? {})
    const caller = this.#caller('legacy')
    this.#running.set(request.id, { cancel() {} })
    const description = await this.#deps.surface.describe(caller)
    this.#done(request.id)
    if ('code' in description) return this.#write(errorResponse(request.id, description))
    this.#stopWatching ??= this.#deps.surface.watch(caller, notification => this.#notify(notification))
    const version = LEGACY_VERSIONS.find(known => known === protocolVersion) ?? LEGACY_VERSIONS[0]
    this.#write({ jsonrpc: '2.0', id: request.id, result: { protocolVersion: version, ...description } })
  }

  #remember({ method, params }: Request): void {
    const [uri, level] = [params?.uri, params?.level]
    const logLevel = method === 'logging/setLevel' ? readLogLevel(level) : undefined
    if (this.#legacy !== undefined && logLevel !== undefined) this.#legacy = { ...this.#legacy, logLevel }
    if (typeof uri !== 'string') return
    if (method === 'resources/subscribe' && !this.#watched.has(uri)) {
      this.#watched.set(uri, this.#deps.surface.watchResources(this.#caller('legacy'), [uri]))
    }
    if (method === 'resources/unsubscribe') {
      this.#watched.get(uri)?.stop()
      this.#watched.delete(uri)
    }
  }

  #notify(notification: Notification): void {
    if (isWatched(notification, this.#watched) && isSevereEnough(notification, this.#legacy?.logLevel))
      this.#write(notification)
  }

  #caller(era: Era, params?: Json): Caller {
    const principal = this.#principal
    const envelope = era === 'modern' ? readEnvelope(params) : (this.#legacy ?? { capabilities: {} })
    return { principal, era, session: sessionOf(params, principal), envelope }
  }

  #write(message: object): void {
    this.#writeText(writeJson(message))
  }

  #writeText(text: string): void {
    this.#deps.output.write(`${text}\n`)
  }
}
