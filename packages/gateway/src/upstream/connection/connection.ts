import { Attention, isLogLine, isTooLongToHear } from '../../admission/talk.ts'
import { InFlight } from '../../base/in-flight.ts'
import { type Id, isJsonObject, type Json, type Message, readMessage } from '../../protocol/messages.ts'
import {
  type Envelope,
  hasHeaderOver,
  legacyHeaders,
  modernHeaders,
  withEnvelope,
  withoutEnvelope,
} from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { answeredId, readServerJson } from '../../protocol/read-server-json.ts'
import type { Channel, ChannelHandlers, Failure, RequestStream } from '../channel/channel.ts'
import { endsOf, findId } from '../channel/find-id.ts'
import { Callers } from './callers.ts'
import { CancelledRequests } from './cancelled-requests.ts'
import {
  BATCH_TOO_LONG,
  CLOSED,
  FAULT,
  GARBAGE,
  LONGEST_HEADER,
  TOO_LONG_FOR_HEADER,
  unreadable,
} from './connection-failures.ts'
import type { ConnectionEvents, ConnectionOptions } from './connection-options.ts'
import { RecipientFinder } from './find-recipient.ts'
import { deadlineOf, latestOf, ownerOf, type PendingCall, SentRequest, withToken } from './pending-calls.ts'
import { MOST_IN_BATCH, readBatch } from './read-batch.ts'
import type { Roots } from './roots.ts'
import { ServerMessages } from './server-messages.ts'
import type { Handshake, OnFault, Reply, UpstreamRequest } from './upstream-request.ts'
import { withRoots } from './with-roots.ts'

const CLOCK_MS = 25
/** Up to this length, serialising an answer is cheaper than checking whether its original text can be forwarded. */
const LONG = 2000

/**
 * JSON-RPC over one channel. Assigns request ids, matches answers to callers, and handles questions from the server.
 */
export class Connection {
  handshake: Handshake | undefined
  readonly #channel: Channel
  readonly #events: ConnectionEvents
  readonly #roots: Roots
  readonly #attention: Attention
  readonly #onFault: OnFault | undefined
  readonly #calls = new InFlight<PendingCall>()
  readonly #callers = new Callers()
  readonly #cancelled = new CancelledRequests(this.#callers)
  readonly #messages: ServerMessages
  readonly #clock = setInterval(() => this.#tick(), CLOCK_MS).unref()
  /** Number of answers received, including answers to requests that were cancelled too late. */
  #answers = 0
  #closedBy: Failure | undefined

  constructor(channel: Channel, events: ConnectionEvents, options: ConnectionOptions = {}) {
    const { roots = [], screen, attention = new Attention(), onFault } = options
    this.#channel = channel
    this.#events = events
    this.#roots = roots
    this.#attention = attention
    this.#onFault = onFault
    const recipients = new RecipientFinder(this.#calls, this.#cancelled)
    this.#messages = new ServerMessages(this.#calls, {
      recipients,
      roots,
      screen,
      attention,
      onFault,
      listener: events,
      reply: answer => channel.send({ ...answer, headers: this.#headers() }),
    })
  }

  get inFlight(): number {
    return this.#calls.size
  }

  async open(): Promise<void> {
    const handlers: ChannelHandlers = {
      onMessage: (text, relatedTo) => this.#onMessage(text, relatedTo),
      onStream: (id, event) => this.#calls.get(id)?.request.client?.onStream?.(event),
      onLost: (id, failure) => this.#settle(id, { kind: 'failure', failure }),
      onClosed: failure => this.#fail(failure),
    }
    await this.#channel.open(handlers)
  }

  send(asked: UpstreamRequest): SentRequest {
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
        stream: undefined,
        deadline,
        latest: latestOf(request, deadline),
        talk: undefined,
        questions: 0,
        askedAt: 0,
        delivered: undefined,
      }
      id = this.#calls.add(pending)
      const params = progressToken === undefined ? request.params : withToken(request.params, id)
      pending.stream = this.#write(request, id, params)
    })
    return new SentRequest(this, id, reply)
  }

  cancel(id: Id, reason: string | undefined): void {
    this.#cancelWith(id, { kind: 'cancelled' }, reason)
  }

  whenDone(id: Id, onDone: () => void): void {
    if (this.#closedBy === undefined) this.#cancelled.whenAnswered(id, onDone)
    else onDone()
  }

  notify(method: string, params?: Json, envelope?: Envelope): void {
    const body = envelope === undefined ? params : withEnvelope(params, envelope)
    const text = writeJson({ jsonrpc: '2.0', method, ...(body === undefined ? {} : { params: body }) })
    this.#channel.send({ text, headers: this.#headers(method, params) })
  }

  /** Opens the separate stream that Streamable HTTP uses for messages that belong to no request. */
  listen(): void {
    this.#channel.listen?.(this.#headers())
  }

  async close(): Promise<void> {
    this.#closedBy ??= CLOSED
    clearInterval(this.#clock)
    this.#loseAll(CLOSED)
    await this.#channel.close()
  }

  #write(request: UpstreamRequest, id: Id, params: Json | undefined): RequestStream | undefined {
    const isModern = this.#speaksModern(request.method)
    const body = isModern ? withEnvelope(params, request.envelope) : withoutEnvelope(params)
    const text = writeJson({ jsonrpc: '2.0', id, method: request.method, params: body })
    // Pipes have no headers.
    if (this.#channel.isPipe === true) return this.#channel.send({ text, id })
    const headers = this.#headers(request.method, params, request.headers)
    const { credential } = request
    if (!hasHeaderOver(LONGEST_HEADER, headers)) return this.#channel.send({ text, id, headers, credential })
    this.#settle(id, { kind: 'failure', failure: TOO_LONG_FOR_HEADER })
    return undefined
  }

  #speaksModern(method: string): boolean {
    return method === 'server/discover' || this.handshake?.era === 'modern'
  }

  #headers(method?: string, params?: Json, more?: Readonly<Record<string, string>>): Record<string, string> {
    const isModern = method !== undefined && this.#speaksModern(method)
    const headers = isModern ? modernHeaders(method, params) : legacyHeaders(this.handshake?.protocolVersion)
    return more === undefined ? headers : Object.assign(headers, more)
  }

  /**
   * Handles one text from the channel. Returns how long to stop reading, in milliseconds. An answer never causes a
   * pause.
   */
  #onMessage(text: string, relatedTo: Id | undefined): number {
    const before = this.#answers
    const startedAt = performance.now()
    this.#messages.ms = 0
    this.#attention.begin(text)
    if (!this.#isIgnored(text, startedAt)) this.#receive(text, relatedTo)
    if (this.#answers === before) return this.#messages.charge(text, relatedTo, startedAt)
    return this.#messages.ms === 0 ? 0 : this.#messages.chargeBatch()
  }

  /** Returns true if a message has no effect, in which case it is not parsed. */
  #isIgnored(text: string, now: number): boolean {
    return text.trim() === '' || isTooLongToHear(text) || (this.#attention.isSpent(now) && isLogLine(text))
  }

  #receive(text: string, relatedTo?: Id): void {
    // A notification identical to the previous one was parsed before.
    const { last } = this.#messages
    if (text === last?.text) return this.#dispatch(last.notification, relatedTo, text)
    const parsed = readServerJson(text)
    if (!parsed.ok) return this.#failRequest(relatedTo ?? findId(endsOf(text)), unreadable(parsed.reason))
    if (Array.isArray(parsed.value)) return this.#receiveBatch(parsed.value, relatedTo, text)
    const message = readMessage(parsed.value)
    if (message !== undefined) this.#dispatch(message, relatedTo, text)
    else this.#failRequest(relatedTo ?? answeredId(parsed.value), GARBAGE)
  }

  #receiveBatch(values: readonly unknown[], relatedTo: Id | undefined, text: string): void {
    if (values.length > MOST_IN_BATCH) return this.#failRequest(relatedTo, BATCH_TOO_LONG)
    for (const part of readBatch(values, text))
      if (part.message === undefined) this.#failRequest(relatedTo ?? part.id, GARBAGE)
      else this.#dispatch(part.message, relatedTo, part.text)
  }

  /** Handles one message. If the gateway itself fails here, only the call that waits for this message fails. */
  #dispatch(message: Message, relatedTo: Id | undefined, text: string): void {
    try {
      this.#take(message, relatedTo, text)
    } catch (error) {
      this.#onFault?.(error)
      if (!('method' in message)) this.#failRequest(message.id ?? relatedTo, FAULT)
    }
  }

  #take(message: Message, relatedTo: Id | undefined, text: string): void {
    if ('method' in message) return this.#messages.receive(message, relatedTo, text)
    const id = message.id ?? relatedTo
    // The gateway never assigned this id, or the request was already settled, so no call is waiting.
    if (id !== undefined)
      this.#settle(id, {
        kind: 'answer',
        message,
        text: text.length > LONG ? text : undefined,
        bytes: Buffer.byteLength(text),
        era: this.handshake?.era,
      })
  }

  #cancelWith(id: Id, reply: Reply, reason: string | undefined): void {
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
    pending.stream?.abandon()
    this.#cancelled.add(id, ownerOf(pending.request), performance.now())
    this.#settle(id, reply)
  }

  #settle(id: Id, reply: Reply): void {
    const pending = this.#calls.remove(id)
    if (pending === undefined) return this.#settleLate(id)
    this.#answers += 1
    pending.resolve(
      reply.kind === 'failure' && pending.delivered !== undefined
        ? { ...reply, delivered: pending.delivered }
        : reply,
    )
    pending.stream?.settle()
    // The call is answered, but the server may still send messages about it.
    const owner = ownerOf(pending.request)
    if (owner !== undefined) this.#callers.ended(owner, performance.now())
  }

  /** Handles the answer to a cancelled call. It comes if the server received the cancellation too late. */
  #settleLate(id: Id): void {
    if (this.#cancelled.takeAnswer(id, performance.now())) this.#answers += 1
  }

  #failRequest(id: Id | undefined, failure: Failure): void {
    if (id === undefined) return
    // The answer cannot be read, so the rest of its stream is useless.
    this.#calls.get(id)?.stream?.abandon()
    this.#settle(id, { kind: 'failure', failure })
  }

  /** Checks all deadlines with one timer. A timer per request would cost more than most requests take. */
  #tick(): void {
    const now = performance.now()
    for (const [id, { deadline, questions, talk }] of this.#calls.entries()) {
      // Time during which the gateway paused reading does not count towards the deadline.
      const isLate = deadline + (talk?.pausedMs ?? 0) < now
      if (isLate && questions === 0) this.#cancelWith(id, { kind: 'timeout' }, 'timed out')
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
    this.#cancelled.settleAll()
  }
}
