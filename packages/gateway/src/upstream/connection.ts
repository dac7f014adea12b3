import { InFlight } from '../in-flight.ts'
import {
  type Id,
  INTERNAL_ERROR,
  isJsonObject,
  isNotification,
  isRequest,
  type Json,
  type Message,
  type Notification,
  type Request,
  RPC,
  type RpcError,
  readMessage,
} from '../protocol/messages.ts'
import {
  type Envelope,
  encodeHeader,
  MODERN_VERSION,
  nameInHeader,
  withEnvelope,
  withoutEnvelope,
} from '../protocol/modern.ts'
import { type Parsed, parseJson, writeJson } from '../protocol/parse-json.ts'
import { writeRequest } from '../protocol/usual-request.ts'
import { Backlog } from './backlog.ts'
import { Callers, type Owner } from './callers.ts'
import type { Carried, Channel, ChannelHandlers, Failure } from './channel.ts'
import { MOST_QUESTIONS } from './most-questions.ts'
import { createSharedPace, isLongerThanNotifications, isTooLongToHear, Pace, StreamPace } from './pace.ts'
import { deadlineOf, ownerOf, withToken } from './request-facts.ts'
import { answerRoots, type Roots, withRoots } from './roots.ts'
import { Sent } from './sent.ts'
import { hasTooManyNames } from './too-many-names.ts'
import type { AskAnswer, Handshake, Heard, Reply, UpstreamRequest } from './upstream-request.ts'

export interface ConnectionEvents {
  /**
   * A notification that belongs to no request: list changes, resource updates, logs. `owner`: the only caller whom
   * it can be about; absent if there are several, or none.
   */
  onEvent(notification: Notification, owner: Owner | undefined): void
  onClosed(failure: Failure): void
}

export interface ConnectionOptions {
  /** What the server hears when it asks for roots. */
  readonly roots?: Roots
  /** Looks through what the server says apart from answers. Undefined: nobody is to hear it. */
  readonly screen?: Screen
  /** Told of a fault of ours with something that the server said. */
  readonly onFault?: OnFault | undefined
}

export type OnFault = (error: unknown) => void

export interface Screen {
  /** Of a notification: at once, because others come after it. */
  said(said: Json): Json | undefined
  /** Of a question, which may be long. */
  asked(said: Json): Json | undefined | Promise<Json | undefined>
}

interface Pending {
  readonly request: UpstreamRequest
  readonly resolve: (reply: Reply) => void
  readonly progressToken: unknown
  carried: Carried | undefined
  /** When it will have taken too long, in the time of `performance.now()`. */
  deadline: number
  /** How much is said on its stream, where it has one and anything was. */
  pace: StreamPace | undefined
  /** Questions of the server in this call that nobody has answered yet. */
  questions: number
  /** What of this call has reached the caller: it cannot be taken back when the call is repeated. */
  heard: Heard | undefined
}

const MAX_DEPTH = 200
/** Ten megabytes of rows have as many; what has more takes seconds to take apart. */
const MAX_MEMBERS = 600_000
/** In lists, of all kinds. */
const MAX_ITEMS = 1_800_000
/** Far more than anything has that somebody thought of. */
const MAX_NAMES = 100_000
const CLOCK_MS = 25
/** Older servers may say several things at once. */
const MOST_IN_BATCH = 1000
/** Longer notifications are not compared with the one before. */
const SHORT = 200
/** Below this, writing an answer anew is cheaper than looking whether it must be. */
const LONG = 2000

/** That some list is another now, and nothing else. */
export const LISTS_CHANGED: ReadonlySet<string> = new Set([
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
])

/** What is about the server itself, and nobody's in particular. */
const FOR_ALL = new Set([
  ...LISTS_CHANGED,
  'notifications/resources/updated',
  'notifications/subscriptions/acknowledged',
])

/** JSON-RPC over one channel: ids of our own, answers to whom they belong, and the server's own questions. */
export class Connection {
  handshake: Handshake | undefined
  /** The last short notification, to recognise it. */
  #lastHeard: { readonly text: string; readonly notification: Notification } | undefined
  readonly #channel: Channel
  readonly #events: ConnectionEvents
  readonly #roots: Roots
  readonly #screen: Screen | undefined
  readonly #onFault: OnFault | undefined
  readonly #callers = new Callers()
  /** Of what belongs to no call, and of everything where calls have no stream of their own. */
  readonly #pace = new Pace()
  readonly #sharedPace = createSharedPace()
  readonly #questions = new Backlog(MOST_QUESTIONS)
  readonly #pending = new InFlight<Pending>()
  readonly #clock = setInterval(() => this.#callOffLate(), CLOCK_MS).unref()
  /** Requests that are over, and those that were called off and answered all the same: nobody told the server in time. */
  #answers = 0
  #closedBy: Failure | undefined

  constructor(channel: Channel, events: ConnectionEvents, options: ConnectionOptions = {}) {
    const { roots = [], screen, onFault } = options
    this.#channel = channel
    this.#events = events
    this.#roots = roots
    this.#screen = screen
    this.#onFault = onFault
  }

  get inFlight(): number {
    return this.#pending.size
  }

  async open(): Promise<void> {
    const handlers: ChannelHandlers = {
      onMessage: (text, relatedTo) => this.#listenTo(text, relatedTo),
      onStream: (id, event) => this.#pending.get(id)?.request.behind?.onStream?.(event),
      onLost: (id, failure) => this.#settle(id, { kind: 'failure', failure }),
      onClosed: failure => this.#fail(failure),
    }
    await this.#channel.open(handlers)
  }

  send(asked: UpstreamRequest): Sent {
    const request = this.handshake?.era === 'modern' ? withRoots(asked, this.#roots) : asked
    let id = 0
    const reply = new Promise<Reply>(resolve => {
      if (this.#closedBy !== undefined)
        return resolve({ kind: 'failure', failure: { ...this.#closedBy, notSent: true } })
      const meta = request.params?._meta
      const progressToken = isJsonObject(meta) ? meta.progressToken : undefined
      const pending: Pending = {
        request,
        resolve,
        progressToken,
        carried: undefined,
        deadline: deadlineOf(request),
        pace: undefined,
        questions: 0,
        heard: undefined,
      }
      id = this.#pending.add(pending)
      const params = progressToken === undefined ? request.params : withToken(request.params, id)
      pending.carried = this.#write(request, id, params)
    })
    return new Sent(this, id, reply)
  }

  callOff(id: Id, reason: string | undefined): void {
    this.#callOff(id, { kind: 'cancelled' }, reason)
  }

  notify(method: string, params?: Json, envelope?: Envelope): void {
    const body = envelope === undefined ? params : withEnvelope(params, envelope)
    const text = writeJson({ jsonrpc: '2.0', method, ...(body === undefined ? {} : { params: body }) })
    this.#channel.send({ text, headers: this.#headers(method, params) })
  }

  /** Streamable HTTP has a stream of its own for what belongs to no request. */
  listen(): void {
    this.#channel.listen?.(this.#headers(undefined, undefined))
  }

  async close(): Promise<void> {
    this.#closedBy ??= CLOSED
    clearInterval(this.#clock)
    this.#loseAll(CLOSED)
    await this.#channel.close()
  }

  #write(request: UpstreamRequest, id: Id, params: Json | undefined): Carried | undefined {
    const isModern = this.#speaksModern(request.method)
    const body = isModern ? withEnvelope(params, request.envelope) : withoutEnvelope(params)
    return this.#channel.send({
      text: writeRequest(id, request.method, body),
      id,
      // A pipe has none.
      ...(this.#channel.isPipe !== true && {
        headers: this.#headers(request.method, params, request.headers),
      }),
    })
  }

  #speaksModern(method: string): boolean {
    return method === 'server/discover' || this.handshake?.era === 'modern'
  }

  #headers(
    method: string | undefined,
    params: Json | undefined,
    more?: Readonly<Record<string, string>>,
  ): Record<string, string> {
    const headers: Record<string, string> = {}
    if (method !== undefined && this.#speaksModern(method)) {
      headers['mcp-protocol-version'] = MODERN_VERSION
      headers['mcp-method'] = method
      const name = nameInHeader(method, params)
      if (name !== undefined) headers['mcp-name'] = encodeHeader(name)
    } else if (this.handshake !== undefined) headers['mcp-protocol-version'] = this.handshake.protocolVersion
    return more === undefined ? headers : Object.assign(headers, more)
  }

  /** Gives for how long the server is not to be listened to where it said this: answers are always welcome. */
  #listenTo(text: string, relatedTo: Id | undefined): number {
    const before = this.#answers
    const startedAt = performance.now()
    if (text.trim() !== '' && !isTooLongToHear(text)) this.#receive(text, relatedTo)
    if (this.#answers > before) return 0
    const now = performance.now()
    return this.#paceOf(relatedTo).spend(text, now, now - startedAt)
  }

  #paceOf(relatedTo: Id | undefined): Pace | StreamPace {
    const call = this.#pending.get(relatedTo)
    if (call === undefined) return this.#pace
    call.pace ??= new StreamPace(this.#sharedPace)
    return call.pace
  }

  #receive(text: string, relatedTo?: Id): void {
    // Whoever says the same again and again is understood without reading it again.
    if (text === this.#lastHeard?.text) return this.#dispatch(this.#lastHeard.notification, relatedTo, text)
    const parsed = readJson(text)
    if (!parsed.ok) return this.#giveUpOn(relatedTo ?? idAtHead(text), unreadable(parsed.reason))
    if (Array.isArray(parsed.value)) return this.#receiveBatch(parsed.value, relatedTo, text)
    const message = readMessage(parsed.value)
    if (message !== undefined) this.#dispatch(message, relatedTo, text)
    else this.#giveUpOn(relatedTo ?? answeredId(parsed.value), GARBAGE)
  }

  /** In one that is longer than any notification may be, only answers are heard. */
  #receiveBatch(values: readonly unknown[], relatedTo: Id | undefined, text: string): void {
    if (values.length > MOST_IN_BATCH) return this.#giveUpOn(relatedTo, unreadable(BATCH_TOO_LONG))
    const isLong = isLongerThanNotifications(text)
    for (const value of values) {
      const message = readMessage(value)
      if (message === undefined) this.#giveUpOn(relatedTo ?? answeredId(value), GARBAGE)
      else if (!isLong || !('method' in message))
        this.#dispatch(message, relatedTo, values.length === 1 ? text : '')
    }
  }

  /** A fault of ours with one message ends nothing but the call that waits for it. */
  #dispatch(message: Message, relatedTo: Id | undefined, text: string): void {
    try {
      this.#take(message, relatedTo, text)
    } catch (error) {
      this.#onFault?.(error)
      if (!('method' in message)) this.#giveUpOn(message.id ?? relatedTo, FAULT)
    }
  }

  #take(message: Message, relatedTo: Id | undefined, text: string): void {
    if (isRequest(message)) void this.#answer(message, relatedTo)
    else if (isNotification(message)) {
      // However it is written.
      if (isLongerThanNotifications(text)) return
      this.#lastHeard = text !== '' && text.length <= SHORT ? { text, notification: message } : undefined
      this.#hear(message, relatedTo)
    } else {
      const id = message.id ?? relatedTo
      // An id we never gave, or gave and settled, is nobody's answer.
      if (id !== undefined)
        this.#settle(id, {
          kind: 'answer',
          message,
          text: text.length > LONG ? text : undefined,
          bytes: Buffer.byteLength(text),
        })
    }
  }

  #hear(said: Notification, relatedTo: Id | undefined): void {
    const notification = this.#check(said)
    if (notification === undefined) return
    if (notification.method === 'notifications/progress') {
      const token = notification.params?.progressToken
      const pending = this.#pending.get(token)
      if (pending === undefined) return
      pending.deadline = deadlineOf(pending.request) // who reports progress is not stuck
      pending.heard ??= 'progress'
      const params = { ...notification.params, progressToken: pending.progressToken }
      pending.request.behind?.notify({ ...notification, params })
      return
    }
    const isForAll = FOR_ALL.has(notification.method)
    const call = isForAll ? this.#pending.get(relatedTo) : this.#callOf(relatedTo)
    if (call?.request.behind !== undefined) call.request.behind.notify(notification)
    else this.#events.onEvent(notification, isForAll ? undefined : this.#findOwner(relatedTo))
  }

  #check(said: Notification): Notification | undefined {
    if (said.params === undefined || this.#screen === undefined) return said
    // That lists changed is all that these can say.
    if (LISTS_CHANGED.has(said.method)) return { jsonrpc: '2.0', method: said.method }
    const params = this.#screen.said(said.params)
    if (params === undefined || params === said.params) return params && said
    return { ...said, params }
  }

  /**
   * Whose call made the server say this? Without a stream of its own it is certain only if nobody else can be meant, and
   * one call of theirs can.
   */
  #callOf(relatedTo: Id | undefined): Pending | undefined {
    if (relatedTo !== undefined) return this.#pending.get(relatedTo)
    if (this.#findOwner(undefined) === undefined) return undefined
    const candidates = this.#askable()
    // A call that waits for an answer does nothing meanwhile, so it is not the one that speaks.
    const active = candidates.filter(pending => pending.questions === 0)
    const [only, ...others] = active.length === 0 ? candidates : active
    return others.length === 0 ? only : undefined
  }

  #findOwner(relatedTo: Id | undefined): Owner | undefined {
    if (relatedTo !== undefined) return undefined
    const underWay = this.#pending.values().flatMap(({ request }) => ownerOf(request) ?? [])
    return this.#callers.find(underWay, performance.now())
  }

  /** Calls with somebody behind them; our own housekeeping has nobody. */
  #askable(): Pending[] {
    return this.#pending.values().filter(pending => pending.request.behind?.ask !== undefined)
  }

  async #answer(request: Request, relatedTo: Id | undefined): Promise<void> {
    const answer = await this.#answerTo(request, relatedTo).catch((error: unknown): AskAnswer => {
      this.#onFault?.(error)
      return { error: INTERNAL_ERROR }
    })
    const write = (said: AskAnswer): string => writeJson({ jsonrpc: '2.0', id: request.id, ...said })
    this.#channel.send({
      text: write(answer),
      otherwise: () => write({ error: NO_ROOM }),
      headers: this.#headers(undefined, undefined),
    })
  }

  async #answerTo({ method, params }: Request, relatedTo: Id | undefined): Promise<AskAnswer> {
    if (method === 'ping') return { result: {} }
    if (method === 'roots/list' && this.#roots !== 'client') return answerRoots(this.#roots)
    // What somebody's roots are, they can say in any call of theirs.
    const isClear = method === 'roots/list' && this.#findOwner(relatedTo) !== undefined
    const call = this.#callOf(relatedTo) ?? (isClear ? this.#askable()[0] : undefined)
    if (call?.request.behind?.ask === undefined)
      return method === 'roots/list' ? answerRoots([]) : { error: this.#explainNobody() }
    const screened = params === undefined ? undefined : this.#screen?.asked(params)
    // Not awaited where it need not be: the server may go on to answer, and the question comes first.
    const isSlow = screened instanceof Promise
    const shown = this.#screen === undefined ? params : isSlow ? await screened : screened
    if (params !== undefined && shown === undefined) return { error: HELD_BACK }
    // Meanwhile the call may have ended.
    if (isSlow && !this.#askable().includes(call)) return { error: this.#explainNobody() }
    const length = writeJson(shown ?? {}).length
    if (!this.#questions.take(length)) return { error: TOO_MANY_QUESTIONS }
    call.questions += 1 // and the clock stands still: people take their time
    call.heard = 'question'
    try {
      return await call.request.behind.ask({ method, ...(shown === undefined ? {} : { params: shown }) })
    } finally {
      this.#questions.leave(length)
      call.questions -= 1
      call.deadline = deadlineOf(call.request)
    }
  }

  #explainNobody(): RpcError {
    const why =
      this.#askable().length > 0
        ? 'the request belongs to no call for certain: others are in progress, or were until a moment ago'
        : 'no call is in progress'
    return { code: RPC.internal, message: `nobody can be asked: ${why}` }
  }

  #callOff(id: Id, reply: Reply, reason: string | undefined): void {
    const pending = this.#pending.get(id)
    if (pending === undefined) return
    const isHttpModern = this.handshake?.era === 'modern' && this.#channel.isPipe !== true
    if (!isHttpModern) {
      const params = { requestId: id, ...(reason === undefined ? {} : { reason }) }
      this.notify(
        'notifications/cancelled',
        params,
        this.handshake?.era === 'modern' ? pending.request.envelope : undefined,
      )
    }
    pending.carried?.abandon()
    this.#callers.calledOff(id, ownerOf(pending.request), performance.now())
    this.#settle(id, reply)
  }

  #settle(id: Id, reply: Reply): void {
    const pending = this.#pending.remove(id)
    const isAwaited = pending !== undefined || this.#callers.answered(id, performance.now())
    if (isAwaited) this.#answers += 1
    if (pending === undefined) return
    pending.resolve(
      reply.kind === 'failure' && pending.heard !== undefined ? { ...reply, heard: pending.heard } : reply,
    )
    pending.carried?.settle()
    const owner = ownerOf(pending.request)
    if (owner !== undefined) this.#callers.ended(owner, performance.now())
  }

  #giveUpOn(id: Id | undefined, failure: Failure): void {
    if (id === undefined) return
    // Whatever else it says there is of no use.
    this.#pending.get(id)?.carried?.abandon()
    this.#settle(id, { kind: 'failure', failure })
  }

  /** One clock for all requests: a timer for each would cost more than most of them take. */
  #callOffLate(): void {
    const now = performance.now()
    for (const [id, { deadline, questions, pace }] of this.#pending.entries()) {
      // While we do not listen, it cannot be in time.
      const isLate = deadline + (pace?.pausedMs ?? 0) < now
      if (isLate && questions === 0) this.#callOff(id, { kind: 'timeout' }, 'timed out')
    }
  }

  #fail(failure: Failure): void {
    if (this.#closedBy !== undefined) return
    this.#closedBy = failure
    clearInterval(this.#clock)
    this.#loseAll(failure)
    this.#events.onClosed(failure)
  }

  #loseAll(failure: Failure): void {
    for (const [id] of this.#pending.entries()) this.#settle(id, { kind: 'failure', failure })
  }
}

const CLOSED: Failure = { kind: 'unavailable', detail: 'the connection was closed', notSent: false }
const GARBAGE: Failure = {
  kind: 'protocol',
  detail: 'the server answered with something that is not JSON-RPC',
  notSent: false,
}

const BATCH_TOO_LONG = `it is a batch of more than ${MOST_IN_BATCH} messages`

function unreadable(reason: string): Failure {
  return { kind: 'protocol', detail: `the answer of the server cannot be read: ${reason}`, notSent: false }
}

const FAULT: Failure = { kind: 'protocol', detail: 'its answer could not be read', notSent: false }

const HELD_BACK: RpcError = {
  code: RPC.internal,
  message: 'the question was held back: it has something in it that nobody is to be shown',
}

const TOO_MANY_QUESTIONS: RpcError = {
  code: RPC.internal,
  message: 'too many questions wait for an answer already',
}

const NO_ROOM: RpcError = {
  code: RPC.internal,
  message: 'there is an answer, but too much waits already that you have not read',
}

function readJson(text: string): Parsed {
  if (hasTooManyNames(text, MAX_NAMES))
    return { ok: false, reason: `it has more than ${MAX_NAMES} different names` }
  return parseJson(text, MAX_DEPTH, MAX_MEMBERS, MAX_ITEMS)
}

/** As most servers write answers. */
const HEAD =
  /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15}|"[^"\\]{1,64}")\s*,\s*"(?:result|error)"\s*:/
const LONGEST_HEAD = 256

/** Which request an answer belongs to that is not taken apart: whoever waits for it need not wait any longer. */
function idAtHead(text: string): Id | undefined {
  const [, written] = HEAD.exec(text.slice(0, LONGEST_HEAD)) ?? []
  return written === undefined ? undefined : (JSON.parse(written) as Id)
}

/** Which request it answers, badly: whoever waits for that need not wait any longer. */
function answeredId(value: unknown): Id | undefined {
  const { id, method }: Json = isJsonObject(value) ? value : {}
  return method === undefined && (typeof id === 'string' || typeof id === 'number') ? id : undefined
}
