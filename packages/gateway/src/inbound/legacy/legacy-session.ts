import type { ServerResponse } from 'node:http'
import type { Ledger } from '../../admission/ledger.ts'
import { InFlight } from '../../base/in-flight.ts'
import { Rounds } from '../../base/rounds.ts'
import type { Limits } from '../../config/config.ts'
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
import { isGraveEnough, isWatched } from '../wire/to-client.ts'
import { BatchAnswers, EventLog } from './event-log.ts'
import { type CallOutlet, LegacyCall } from './legacy-call.ts'
import { Questions } from './questions.ts'

/** The first revision in which a stream starts with an event id. */
const PRIMES_FROM = '2025-11-25'
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

/** A call's stream: undecided until there is more to say than the answer. */
class CallStream {
  readonly #number: number
  res: ServerResponse | undefined
  stream: EventStream | undefined = undefined

  constructor(number: number, res: ServerResponse | undefined) {
    this.#number = number
    this.res = res
  }

  /** Most are never called by it. */
  get name(): string {
    return `s${this.#number}`
  }
}

/** A call that is not over. */
interface Begun {
  readonly call: LegacyCall
  readonly stream: CallStream
  number: number
}

interface Outlets {
  readonly send: (stream: CallStream, text: string) => void
  readonly stream: (stream: CallStream, event: StreamEvent) => void
  readonly ask: (stream: CallStream, ask: Ask) => Promise<AskAnswer>
}

/** What a call says goes to its own stream. */
class StreamOutlet implements CallOutlet {
  readonly #session: Outlets
  readonly #stream: CallStream

  constructor(session: Outlets, stream: CallStream) {
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

/** A session of the older era: its streams, the calls in progress, the questions that wait for an answer. */
export class LegacySession {
  readonly id: string
  /** As of the last request: a scope may have changed since the session was opened. */
  principal: Principal
  readonly surface: Surface
  lastUsedAt = Date.now()
  readonly #options: SessionOptions
  readonly #log = new EventLog()
  readonly #begun = new InFlight<Begun>(2)
  readonly #questions: Questions
  readonly #watched = new Map<string, WatchedResources>()
  readonly #outlets: Outlets = {
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

  /** The same one until something about it is another. */
  get caller(): Caller {
    const { principal, id: session } = this
    const { envelope } = this.#options
    if (this.#caller?.principal !== principal || this.#caller.envelope.logLevel !== this.#logLevel)
      this.#caller = {
        principal,
        era: 'legacy',
        session,
        envelope: { ...envelope, logLevel: this.#logLevel },
      }
    return this.#caller
  }

  /** Nothing is going on and nobody listens. */
  get isQuiet(): boolean {
    return this.#begun.size === 0 && this.#standalone?.isOpen !== true
  }

  /** Answers a request on the response it came with, and says when it is over. */
  async call(request: Request, res: ServerResponse, onOver: () => void = () => {}): Promise<void> {
    let begun: Begun | undefined
    try {
      begun = this.#begin(request, res)
      const { call, stream } = begun
      // Results of tools come as their server sends them; everything else as clients of this revision expect it.
      if (request.method !== 'tools/call' && this.#options.protocolVersion >= PRIMES_FROM) this.#open(stream)
      const text = this.#write(call, await this.#handle(call))
      if (text !== undefined) this.#finish(stream, this.#fit(text, request.id, readerOf(stream)))
      else this.#abandon(stream)
    } finally {
      if (begun !== undefined) this.#end(begun)
      onOver()
    }
  }

  /** Answers requests that came together, begun one after the other, when the last of them is done. */
  async callAll(requests: readonly Request[], res: ServerResponse): Promise<void> {
    const { ledger, limits } = this.#options
    const mostBytes = limits.unreadBytesPerPrincipal
    const answers = new BatchAnswers({ res, principal: this.principal, ledger, mostBytes })
    try {
      const texts = await this.#runAll(requests, answers)
      const list = texts.filter(text => text !== undefined)
      sendJson(res, 200, `[${list.join(',')}]`, this.#headers())
    } finally {
      answers.leave()
    }
  }

  /** Undefined for those that nobody waits for any more. Nothing here outlives a call: each of them leads to its result. */
  #runAll(requests: readonly Request[], answers: BatchAnswers): Promise<readonly (string | undefined)[]> {
    const rounds = new Rounds()
    const run = async (begun: Begun): Promise<string | undefined> => {
      await rounds.next()
      const text = await this.#run(begun)
      return text === undefined ? undefined : answers.keep(begun.call.id, text)
    }
    // All of them at once: what has not begun yet can be called off, too.
    return Promise.all(requests.map(request => this.#begin(request, undefined)).map(run))
  }

  #begin(request: Request, res: ServerResponse | undefined): Begun {
    this.#counter += 1
    const stream = new CallStream(this.#counter, res)
    const session = sessionOf(request.params, this.principal, this.id)
    const caller = session === this.id ? this.caller : { ...this.caller, session, connection: this.id }
    const call = new LegacyCall(request, caller, new StreamOutlet(this.#outlets, stream))
    const begun = { call, stream, number: 0 }
    begun.number = this.#begun.add(begun)
    return begun
  }

  /** To its end; undefined when it was cancelled and nobody waits for an answer. */
  async #run(begun: Begun): Promise<string | undefined> {
    const { call } = begun
    try {
      return call.isCancelled ? undefined : this.#write(call, await this.#handle(call))
    } finally {
      this.#end(begun)
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

  #end({ stream, number }: Begun): void {
    this.#begun.remove(number)
    this.#questions.end(stream)
  }

  /**
   * An answer as it is, or what is said instead where the caller has too many that it has not read. Without a reader it is
   * kept for a while, as far as there is room for it.
   */
  #fit(text: string, id: Id, res: ServerResponse | undefined): string {
    if (res === undefined) return text
    const error = this.#options.ledger.send({ res, principal: this.principal, bytes: text.length })
    return error === undefined ? text : writeJson(errorResponse(id, error))
  }

  receiveNotification(notification: Notification): void {
    if (notification.method !== 'notifications/cancelled')
      return this.surface.receive(this.caller, notification)
    // Without its reason, which would be a text to the server that nobody has looked at.
    this.#findCall(notification.params?.requestId)?.cancel()
  }

  /** By the client's id for it, of which the last one counts. */
  #findCall(id: unknown): LegacyCall | undefined {
    let last: Begun | undefined
    for (const begun of this.#begun.values())
      if (begun.call.id === id && begun.number > (last?.number ?? 0)) last = begun
    return last?.call
  }

  receive(response: Response): void {
    this.#questions.receive(response)
  }

  /** Opens the stream for what belongs to no call, or picks up one that was lost. False if there is one already. */
  attach(res: ServerResponse, lastEventId: string | undefined): boolean {
    const missed = lastEventId === undefined ? undefined : this.#log.after(lastEventId)
    if (missed !== undefined && missed.stream !== STANDALONE) {
      this.#resume(res, missed)
      return true
    }
    if (this.#standalone?.isOpen) return false
    const stream = new EventStream(res, this.#options.limits.streamBytes, this.#headers())
    this.#standalone = stream
    this.#watch()
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
    const begun = this.#begun.values()
    for (const { call } of begun) call.cancel('the session ended')
    this.#questions.close()
    for (const { stream } of begun) stream.stream?.end()
    this.#standalone?.end()
    this.surface.release(this.caller)
  }

  #watchResources({ method, params, caller }: LegacyCall): void {
    const uri = params?.uri
    // What a session that is over would follow, nobody would ever let go.
    if (typeof uri !== 'string' || this.#isClosed) return
    if (method === 'resources/subscribe' && !this.#watched.has(uri))
      this.#watched.set(uri, this.surface.watchResources(caller, [uri]))
    if (method === 'resources/unsubscribe') {
      this.#watched.get(uri)?.stop()
      this.#watched.delete(uri)
    }
  }

  /**
   * From the first stream on: before, nobody hears anything, and nobody has an event's id to come back with. After it,
   * what is said goes on to be kept for who comes back.
   */
  #watch(): void {
    this.#stopWatching ??= this.surface.watch(this.caller, notification => this.#tell(notification))
  }

  #tell(notification: Notification): void {
    if (!isWatched(notification, this.#watched) || !isGraveEnough(notification, this.#logLevel)) return
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
    if (this.#options.protocolVersion >= PRIMES_FROM)
      call.stream.prime(this.#log.add(call.name, ''), RETRY_MS)
  }

  /** Closes a stream that its client can pick up again, as the server did with ours. */
  #pause(call: CallStream): void {
    if (this.#options.protocolVersion < PRIMES_FROM) return
    call.stream?.end()
    call.stream = undefined
    call.res = undefined
  }

  #finish(call: CallStream, text: string): void {
    // Which session it is was said when it began.
    if (call.stream === undefined && call.res !== undefined) return sendJson(call.res, 200, text)
    this.#open(call)
    const id = this.#log.add(call.name, text)
    // Sent is not received: for a while the client may still come back for it.
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
    const begun = this.#begun.values().find(one => one.stream.name === name)
    if (begun === undefined) stream.end()
    else begun.stream.stream = stream
  }

  #headers(): Record<string, string> {
    return { 'mcp-session-id': this.id }
  }
}

/** Where an answer goes: a client that came back for it reads it there, and not where it asked. */
function readerOf({ stream, res }: CallStream): ServerResponse | undefined {
  return stream?.res ?? res
}

const written = new WeakMap<Notification, string>()

/** A notification as text. It may be for a thousand sessions, and is the same for all of them. */
function writeOnce(notification: Notification): string {
  const known = written.get(notification)
  if (known !== undefined) return known
  const text = writeJson(notification)
  written.set(notification, text)
  return text
}
