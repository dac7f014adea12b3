import {
  Attention,
  isLogLine,
  isLongerThanNotifications,
  isTooLongToHear,
  Talk,
} from '../../admission/talk.ts'
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
} from '../../protocol/messages.ts'
import {
  type Envelope,
  encodeHeader,
  MODERN_VERSION,
  nameInHeader,
  withEnvelope,
  withoutEnvelope,
} from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { answeredId, readSaid } from '../../protocol/read-said.ts'
import type { Carried, Channel, ChannelHandlers, Failure } from '../channel/channel.ts'
import { endsOf, findId } from '../channel/find-id.ts'
import { type EventListener, Notifications } from './notifications.ts'
import { deadlineOf, latestOf, type PendingCall, PendingCalls, Sent, withToken } from './pending-calls.ts'
import { type Roots, withRoots } from './roots.ts'
import type { Screen } from './screen-questions.ts'
import { ServerQuestions } from './server-questions.ts'
import type { AskAnswer, Handshake, Reply, UpstreamRequest } from './upstream-request.ts'

export interface ConnectionEvents extends EventListener {
  onClosed(failure: Failure): void
}

export interface ConnectionOptions {
  /** What the server hears when it asks for roots. */
  readonly roots?: Roots
  readonly screen?: Screen
  /** How much of our time the server has left for that, over all its connections. */
  readonly attention?: Attention
  /** Told of a fault of ours with something that the server said. */
  readonly onFault?: OnFault | undefined
}

export type OnFault = (error: unknown) => void

const CLOCK_MS = 25
/** Older servers may say several things at once. */
const MOST_IN_BATCH = 1000
/** Longer notifications are not compared with the one before. */
const SHORT = 200
/** Below this, writing an answer anew is cheaper than looking whether it must be. */
const LONG = 2000

/** JSON-RPC over one channel: ids of our own, answers to whom they belong, and the server's own questions. */
export class Connection {
  handshake: Handshake | undefined
  /** The last short notification, to recognise it. */
  #lastHeard: { readonly text: string; readonly notification: Notification } | undefined
  readonly #channel: Channel
  readonly #events: ConnectionEvents
  readonly #roots: Roots
  readonly #attention: Attention
  readonly #onFault: OnFault | undefined
  readonly #talk: Talk
  readonly #calls = new PendingCalls()
  readonly #questions: ServerQuestions
  readonly #notifications: Notifications
  readonly #clock = setInterval(() => this.#tick(), CLOCK_MS).unref()
  /** Requests that are over, and those that were called off and answered all the same: nobody told the server in time. */
  #answers = 0
  /** How long we were busy with what came together with answers, in the batch that is being read. */
  #besideMs = 0
  #closedBy: Failure | undefined

  constructor(channel: Channel, events: ConnectionEvents, options: ConnectionOptions = {}) {
    const { roots = [], screen, attention = new Attention(), onFault } = options
    this.#channel = channel
    this.#events = events
    this.#roots = roots
    this.#attention = attention
    this.#talk = new Talk(attention)
    this.#questions = new ServerQuestions(this.#calls, { roots, screen })
    this.#notifications = new Notifications(this.#calls, { listener: events, screen, attention })
    this.#onFault = onFault
  }

  get inFlight(): number {
    return this.#calls.size
  }

  async open(): Promise<void> {
    const handlers: ChannelHandlers = {
      onMessage: (text, relatedTo) => this.#listenTo(text, relatedTo),
      onStream: (id, event) => this.#calls.get(id)?.request.behind?.onStream?.(event),
      onLost: (id, failure) => this.#settle(id, { kind: 'failure', failure }),
      onClosed: failure => this.#fail(failure),
    }
    await this.#channel.open(handlers)
  }

  send(asked: UpstreamRequest): Sent {
    const request = withRoots(asked, this.#roots)
    let id = 0
    const reply = new Promise<Reply>(resolve => {
      if (this.#closedBy !== undefined)
        return resolve({ kind: 'failure', failure: { ...this.#closedBy, notSent: true } })
      const meta = request.params?._meta
      const progressToken = isJsonObject(meta) ? meta.progressToken : undefined
      const deadline = deadlineOf(request)
      const pending: PendingCall = {
        request,
        resolve,
        progressToken,
        carried: undefined,
        deadline,
        latest: latestOf(request, deadline),
        talk: undefined,
        questions: 0,
        askedAt: 0,
        heard: undefined,
      }
      id = this.#calls.add(pending)
      const params = progressToken === undefined ? request.params : withToken(request.params, id)
      pending.carried = this.#write(request, id, params)
    })
    return new Sent(this, id, reply)
  }

  callOff(id: Id, reason: string | undefined): void {
    this.#callOff(id, { kind: 'cancelled' }, reason)
  }

  whenDone(id: Id, letGo: () => void): void {
    if (this.#closedBy === undefined) this.#calls.whenAnswered(id, letGo)
    else letGo()
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
    const text = writeJson({ jsonrpc: '2.0', id, method: request.method, params: body })
    // A pipe has none.
    if (this.#channel.isPipe === true) return this.#channel.send({ text, id })
    const headers = this.#headers(request.method, params, request.headers)
    if (!isTooLong(headers)) return this.#channel.send({ text, id, headers, objectTo: request.objectTo })
    this.#settle(id, { kind: 'failure', failure: TOO_LONG_FOR_HEADER })
    return undefined
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
    this.#besideMs = 0
    this.#attention.begin(text)
    if (!this.#isIdle(text, startedAt)) this.#receive(text, relatedTo)
    const now = performance.now()
    if (this.#answers === before) {
      const said = { text, workMs: this.#attention.workOf(now - startedAt) }
      const call = this.#calls.get(relatedTo)
      if (call === undefined) return this.#talk.spend(said, now)
      call.talk ??= this.#talk.ofCall()
      return call.talk.spend(said, now)
    }
    return this.#besideMs === 0 ? 0 : this.#attention.spend(this.#attention.workOf(this.#besideMs), now)
  }

  /** Whether nobody would hear it: it is not even taken apart. */
  #isIdle(text: string, now: number): boolean {
    return text.trim() === '' || isTooLongToHear(text) || (this.#attention.isSpent(now) && isLogLine(text))
  }

  #receive(text: string, relatedTo?: Id): void {
    // Whoever says the same again and again is understood without reading it again.
    if (text === this.#lastHeard?.text) return this.#dispatch(this.#lastHeard.notification, relatedTo, text)
    const parsed = readSaid(text)
    if (!parsed.ok) return this.#giveUpOn(relatedTo ?? findId(endsOf(text)), unreadable(parsed.reason))
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
      else if (!('method' in message))
        this.#dispatch(message, relatedTo, values.length === 1 ? text : writeJson(message))
      else if (!isLong) this.#hearBeside(message, relatedTo)
    }
  }

  #hearBeside(message: Request | Notification, relatedTo: Id | undefined): void {
    const startedAt = performance.now()
    this.#dispatch(message, relatedTo, '')
    this.#besideMs += performance.now() - startedAt
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
      this.#notifications.hear(message, relatedTo)
    } else {
      const id = message.id ?? relatedTo
      // An id we never gave, or gave and settled, is nobody's answer.
      if (id !== undefined)
        this.#settle(id, {
          kind: 'answer',
          message,
          text: text.length > LONG ? text : undefined,
          bytes: Buffer.byteLength(text),
          era: this.handshake?.era,
        })
    }
  }

  async #answer(request: Request, relatedTo: Id | undefined): Promise<void> {
    const answer = await this.#questions.answer(request, relatedTo).catch((error: unknown): AskAnswer => {
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

  #callOff(id: Id, reply: Reply, reason: string | undefined): void {
    const pending = this.#calls.get(id)
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
    this.#calls.noteCalledOff(id, pending)
    this.#settle(id, reply)
  }

  #settle(id: Id, reply: Reply): void {
    const pending = this.#calls.remove(id)
    if (pending !== undefined || this.#calls.takeLateAnswer(id)) this.#answers += 1
    if (pending === undefined) return
    pending.resolve(
      reply.kind === 'failure' && pending.heard !== undefined ? { ...reply, heard: pending.heard } : reply,
    )
    pending.carried?.settle()
    this.#calls.noteEnded(pending)
  }

  #giveUpOn(id: Id | undefined, failure: Failure): void {
    if (id === undefined) return
    // Whatever else it says there is of no use.
    this.#calls.get(id)?.carried?.abandon()
    this.#settle(id, { kind: 'failure', failure })
  }

  /** One clock for all requests: a timer for each would cost more than most of them take. */
  #tick(): void {
    const now = performance.now()
    for (const [id, { deadline, questions, talk }] of this.#calls.entries()) {
      // While we do not listen, it cannot be in time.
      const isLate = deadline + (talk?.pausedMs ?? 0) < now
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
    for (const [id] of this.#calls.entries()) this.#settle(id, { kind: 'failure', failure })
    this.#calls.letGoOfAll()
  }
}

const CLOSED: Failure = { kind: 'unavailable', detail: 'the connection was closed', notSent: false }
const GARBAGE: Failure = {
  kind: 'protocol',
  detail: 'the server answered with something that is not JSON-RPC',
  notSent: false,
}

const BATCH_TOO_LONG = `it is a batch of more than ${MOST_IN_BATCH} messages`

/** Servers hang up on longer ones, and then it would look as if they were not there. */
const LONGEST_HEADER = 8192

function isTooLong(headers: Readonly<Record<string, string>>): boolean {
  for (const name in headers) if ((headers[name]?.length ?? 0) > LONGEST_HEADER) return true
  return false
}

const TOO_LONG_FOR_HEADER: Failure = {
  kind: 'protocol',
  detail: `it was not sent: a name or an argument that has to stand in a header has more than ${LONGEST_HEADER} characters`,
  notSent: true,
}

function unreadable(reason: string): Failure {
  return { kind: 'protocol', detail: `the answer of the server cannot be read: ${reason}`, notSent: false }
}

const FAULT: Failure = { kind: 'protocol', detail: 'its answer could not be read', notSent: false }

const NO_ROOM: RpcError = {
  code: RPC.internal,
  message: 'there is an answer, but too much waits already that you have not read',
}
