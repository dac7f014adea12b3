import type { ServerResponse } from 'node:http'
import type { Ledger } from '../../admission/ledger.ts'
import { InFlight } from '../../base/in-flight.ts'
import { Rounds } from '../../base/rounds.ts'
import type { Limits } from '../../config/config.ts'
import type { CallerCredentials } from '../../exchange/caller-credentials.ts'
import { cancelReason } from '../../exchange/cancel-reason.ts'
import { type Caller, sessionOf } from '../../exchange/exchange.ts'
import type { Answer, Surface, WatchedResources } from '../../exchange/surface.ts'
import { sendJson } from '../../http/answer.ts'
import { EventStream } from '../../http/sse.ts'
import {
  errorResponse,
  type Id,
  type Notification,
  type Request,
  type Response,
} from '../../protocol/messages.ts'
import { type Envelope, readLogLevel } from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Principal } from '../../scope/scope.ts'
import type { StreamEvent } from '../../upstream/channel/channel.ts'
import type { Ask, AskAnswer } from '../../upstream/connection/upstream-request.ts'
import { writeAnswer } from '../surfaces/answer-call.ts'
import { isSevereEnough, isWatched } from '../wire/to-client.ts'
import { BatchAnswers, EventLog } from './event-log.ts'
import { type CallOutput, LegacyCall } from './legacy-call.ts'
import { Questions } from './questions.ts'

/** The first revision of MCP in which a stream starts with an event id. */
const FIRST_WITH_EVENT_IDS = '2025-11-25'
const RETRY_MS = 500
const FORGET_MS = 10_000
const STANDALONE = 'main'

export interface SessionOptions {
  readonly id: string
  readonly principal: Principal
  readonly surface: Surface
  readonly protocolVersion: string
  readonly envelope: Envelope
  readonly limits: Limits
  readonly ledger: Ledger
}

/** The response to a call. It becomes an event stream if anything besides the answer is sent. */
class CallStream {
  readonly #number: number
  res: ServerResponse | undefined
  stream: EventStream | undefined = undefined

  constructor(number: number, res: ServerResponse | undefined) {
    this.#number = number
    this.res = res
  }

  /** The name is built on demand, because most streams never need one. */
  get name(): string {
    return `s${this.#number}`
  }
}

interface OpenCall {
  readonly call: LegacyCall
  readonly stream: CallStream
  number: number
}

interface Outputs {
  readonly send: (stream: CallStream, text: string) => void
  readonly stream: (stream: CallStream, event: StreamEvent) => void
  readonly ask: (stream: CallStream, ask: Ask) => Promise<AskAnswer>
}

/** Sends the messages of a call on the stream of that call. */
class StreamOutput implements CallOutput {
  readonly #session: Outputs
  readonly #stream: CallStream

  constructor(session: Outputs, stream: CallStream) {
    this.#session = session
    this.#stream = stream
  }

  send(message: Notification): void {
    this.#session.send(this.#stream, writeJson(message))
  }

  stream(event: StreamEvent): void {
    this.#session.stream(this.#stream, event)
  }

  ask(ask: Ask): Promise<AskAnswer> {
    return this.#session.ask(this.#stream, ask)
  }
}

/** A legacy client's session: its streams, open calls and open questions. */
export class LegacySession {
  readonly id: string
  /** The caller as of the last request, because the token's scope can change while a session is open. */
  principal: Principal
  /** The credentials of the last request. A call keeps those of the request that started it. */
  credentials: CallerCredentials | undefined
  readonly surface: Surface
  lastUsedAt = Date.now()
  readonly #options: SessionOptions
  readonly #log = new EventLog()
  readonly #openCalls = new InFlight<OpenCall>(2)
  readonly #questions: Questions
  readonly #watched = new Map<string, WatchedResources>()
  readonly #outputs: Outputs = {
    send: (stream, text) => this.#send(stream, text),
    stream: (stream, event) => (event === 'opened' ? this.#open(stream) : this.#pause(stream)),
    ask: (stream, ask) => this.#questions.ask(ask, { call: stream, send: text => this.#send(stream, text) }),
  }
  #standalone: EventStream | undefined
  #stopWatching: (() => void) | undefined
  #logLevel: string | undefined
  #caller: Caller | undefined
  #counter = 0
  #isClosed = false

  constructor(options: SessionOptions) {
    this.#options = options
    this.id = options.id
    this.principal = options.principal
    this.surface = options.surface
    this.#questions = new Questions(options.limits.parkedMs)
  }

  /** The session's caller. Returns the same object until one of its parts changes. */
  get caller(): Caller {
    const { principal, credentials, id: session } = this
    const { envelope } = this.#options
    const known = this.#caller
    const isSame = known?.principal === principal && known.credentials === credentials
    if (known !== undefined && isSame && known.envelope.logLevel === this.#logLevel) return known
    const caller: Caller = {
      principal,
      era: 'legacy',
      session,
      envelope: { ...envelope, logLevel: this.#logLevel },
      credentials,
    }
    this.#caller = caller
    return caller
  }

  /** True if no call is open and the client does not listen. */
  get isQuiet(): boolean {
    return this.#openCalls.size === 0 && this.#standalone?.isOpen !== true
  }

  /** Answers a request with its own HTTP response, and calls `onOver` when the request is over. */
  async call(request: Request, res: ServerResponse, onOver: () => void = () => {}): Promise<void> {
    let openCall: OpenCall | undefined
    try {
      openCall = this.#start(request, res)
      const { call, stream } = openCall
      // A tool call opens a stream only if it needs one. For other requests, clients of this revision expect a stream.
      if (request.method !== 'tools/call' && this.#options.protocolVersion >= FIRST_WITH_EVENT_IDS)
        this.#open(stream)
      const text = this.#write(call, await this.#handle(call))
      if (text !== undefined) this.#finish(stream, this.#fit(text, request.id, readerOf(stream)))
      else this.#abandon(stream)
    } finally {
      if (openCall !== undefined) this.#end(openCall)
      onOver()
    }
  }

  /** Starts the requests of a batch in order, and sends all answers when the last request is done. */
  async callAll(requests: readonly Request[], res: ServerResponse): Promise<void> {
    const { ledger, limits } = this.#options
    const mostBytes = limits.unreadBytesPerPrincipal
    const answers = new BatchAnswers({ res, principal: this.principal, ledger, mostBytes })
    try {
      const texts = await this.#runAll(requests, answers)
      const list = texts.filter(text => text !== undefined)
      sendJson(res, 200, `[${list.join(',')}]`, this.#headers())
    } finally {
      answers.release()
    }
  }

  /** Runs the calls of a batch. The answer to a cancelled call is undefined. */
  #runAll(requests: readonly Request[], answers: BatchAnswers): Promise<readonly (string | undefined)[]> {
    const rounds = new Rounds()
    const run = async (openCall: OpenCall): Promise<string | undefined> => {
      await rounds.next()
      const text = await this.#run(openCall)
      return text === undefined ? undefined : answers.keep(openCall.call.id, text)
    }
    // All calls are registered first, so that a request can be cancelled before it runs.
    return Promise.all(requests.map(request => this.#start(request, undefined)).map(run))
  }

  #start(request: Request, res: ServerResponse | undefined): OpenCall {
    this.#counter += 1
    const stream = new CallStream(this.#counter, res)
    const session = sessionOf(request.params, this.principal, this.id)
    const caller = session === this.id ? this.caller : { ...this.caller, session, connection: this.id }
    const call = new LegacyCall(request, caller, new StreamOutput(this.#outputs, stream))
    const openCall = { call, stream, number: 0 }
    openCall.number = this.#openCalls.add(openCall)
    return openCall
  }

  /** Runs a call to its end. Returns the answer, or undefined if the call was cancelled. */
  async #run(openCall: OpenCall): Promise<string | undefined> {
    const { call } = openCall
    try {
      return call.isCancelled ? undefined : this.#write(call, await this.#handle(call))
    } finally {
      this.#end(openCall)
    }
  }

  #handle(call: LegacyCall): Promise<Answer> {
    if (call.method === 'logging/setLevel')
      this.#logLevel = readLogLevel(call.params?.level) ?? this.#logLevel
    return this.surface.handle(call)
  }

  #write(call: LegacyCall, answer: Answer): string | undefined {
    if ('result' in answer) this.#watchResources(call)
    return 'cancelled' in answer ? undefined : writeAnswer(call.id, answer)
  }

  #end({ stream, number }: OpenCall): void {
    this.#openCalls.remove(number)
    this.#questions.end(stream)
  }

  /**
   * Returns the answer, or an error instead if the caller has too many unread answers. If the client has disconnected,
   * the event log keeps the answer for a while, if there is room.
   */
  #fit(text: string, id: Id, res: ServerResponse | undefined): string {
    if (res === undefined) return text
    const error = this.#options.ledger.send({ res, principal: this.principal, bytes: text.length })
    return error === undefined ? text : writeJson(errorResponse(id, error))
  }

  receiveNotification(notification: Notification): void {
    if (notification.method !== 'notifications/cancelled')
      return this.surface.receive(this.caller, notification)
    this.#findCall(notification.params?.requestId)?.cancel(cancelReason(notification.params))
  }

  /** Finds a call by the id that the client gave it. If several calls have the same id, this is the latest. */
  #findCall(id: unknown): LegacyCall | undefined {
    let last: OpenCall | undefined
    for (const openCall of this.#openCalls.values())
      if (openCall.call.id === id && openCall.number > (last?.number ?? 0)) last = openCall
    return last?.call
  }

  receive(response: Response): void {
    this.#questions.receive(response)
  }

  /**
   * Opens the stream for messages that belong to no call, or resumes a lost stream. Returns false if one is already
   * open.
   */
  attach(res: ServerResponse, lastEventId: string | undefined): boolean {
    const missed = lastEventId === undefined ? undefined : this.#log.after(lastEventId)
    if (missed !== undefined && missed.stream !== STANDALONE) {
      this.#resume(res, missed)
      return true
    }
    if (this.#standalone?.isOpen) return false
    const stream = new EventStream(res, this.#options.limits.streamBytes, this.#headers())
    this.#standalone = stream
    this.#startWatching()
    for (const [id, data] of missed?.events ?? []) stream.send(data, id)
    return true
  }

  endStandalone(): void {
    this.#standalone?.end()
  }

  close(): void {
    this.#isClosed = true
    this.#stopWatching?.()
    for (const following of this.#watched.values()) following.stop()
    const openCall = this.#openCalls.values()
    for (const { call } of openCall) call.cancel('the session ended')
    this.#questions.close()
    for (const { stream } of openCall) stream.stream?.end()
    this.#standalone?.end()
    this.surface.release(this.caller)
  }

  #watchResources({ method, params, caller }: LegacyCall): void {
    const uri = params?.uri
    // After the session has closed, nothing would end the watching of the resource.
    if (typeof uri !== 'string' || this.#isClosed) return
    if (method === 'resources/subscribe' && !this.#watched.has(uri))
      this.#watched.set(uri, this.surface.watchResources(caller, [uri]))
    if (method === 'resources/unsubscribe') {
      this.#watched.get(uri)?.stop()
      this.#watched.delete(uri)
    }
  }

  /**
   * Starts to receive notifications when the first stream opens, because earlier ones could not be resumed. From then
   * on, notifications are also logged for a client that reconnects.
   */
  #startWatching(): void {
    this.#stopWatching ??= this.surface.watch(this.caller, notification => this.#notify(notification))
  }

  #notify(notification: Notification): void {
    if (!isWatched(notification, this.#watched) || !isSevereEnough(notification, this.#logLevel)) return
    const data = writeOnce(notification)
    const id = this.#log.add(STANDALONE, data)
    this.#standalone?.send(data, id)
  }

  #send(call: CallStream, data: string): void {
    this.#open(call)
    const id = this.#log.add(call.name, data)
    call.stream?.send(data, id)
  }

  #open(call: CallStream): void {
    if (call.stream !== undefined || call.res === undefined) return
    call.stream = new EventStream(call.res, this.#options.limits.streamBytes, this.#headers())
    if (this.#options.protocolVersion >= FIRST_WITH_EVENT_IDS)
      call.stream.prime(this.#log.add(call.name, ''), RETRY_MS)
  }

  /** Closes the call's stream because the server closed its stream to the gateway. The client can resume the stream. */
  #pause(call: CallStream): void {
    if (this.#options.protocolVersion < FIRST_WITH_EVENT_IDS) return
    call.stream?.end()
    call.stream = undefined
    call.res = undefined
  }

  #finish(call: CallStream, text: string): void {
    // The response needs no session id header, because the client has had the id since `initialize`.
    if (call.stream === undefined && call.res !== undefined) return sendJson(call.res, 200, text)
    this.#open(call)
    const id = this.#log.add(call.name, text)
    // The client might not have received the answer, so it can still resume the stream for a while.
    setTimeout(() => this.#log.forget(call.name), FORGET_MS).unref()
    call.stream?.finish(text, id)
  }

  #abandon(call: CallStream): void {
    if (call.stream !== undefined) return call.stream.end()
    if (call.res !== undefined && !call.res.headersSent)
      new EventStream(call.res, this.#options.limits.streamBytes, this.#headers()).end()
  }

  #resume(
    res: ServerResponse,
    { stream: name, events }: { stream: string; events: readonly (readonly [string, string])[] },
  ): void {
    const stream = new EventStream(res, this.#options.limits.streamBytes, this.#headers())
    for (const [id, data] of events) stream.send(data, id)
    const openCall = this.#openCalls.values().find(one => one.stream.name === name)
    if (openCall === undefined) stream.end()
    else openCall.stream.stream = stream
  }

  #headers(): Record<string, string> {
    return { 'mcp-session-id': this.id }
  }
}

/**
 * Returns the response that carries the call's answer. If the client has resumed the stream, that is not the original
 * response.
 */
function readerOf({ stream, res }: CallStream): ServerResponse | undefined {
  return stream?.res ?? res
}

const written = new WeakMap<Notification, string>()

/**
 * Returns a notification as text. The text is cached, because a thousand sessions can receive the same notification.
 */
function writeOnce(notification: Notification): string {
  const known = written.get(notification)
  if (known !== undefined) return known
  const text = writeJson(notification)
  written.set(notification, text)
  return text
}
