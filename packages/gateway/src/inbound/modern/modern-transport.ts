import { isLong, type Ledger, type OpenResponse } from '../../admission/ledger.ts'
import { readCredentials } from '../../exchange/caller-credentials.ts'
import { type Caller, sessionOf } from '../../exchange/exchange.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import { sendError, sendJson, sendResult, statusOfError } from '../../http/answer.ts'
import { EventStream } from '../../http/sse.ts'
import {
  type Id,
  type Json,
  type Notification,
  type Request,
  RPC,
  type RpcError,
} from '../../protocol/messages.ts'
import { findHeaderMismatch, readEnvelope } from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import { writeAnswer } from '../surfaces/answer-call.ts'
import type { Inbound } from '../wire/inbound.ts'
import { ModernCall, type Sink, STATE_PREFIX } from './modern-call.ts'
import { discover, listenOnStream, type StreamDeps } from './own-methods.ts'
import { LOST_STATE, type ParkedCalls } from './parked-calls.ts'

export interface ModernTransport extends StreamDeps {
  readonly parked: ParkedCalls
  readonly ledger: Ledger
}

/** Handles a modern client's request. Each request is self-contained, so the gateway keeps no session. */
export function handleModern(
  inbound: Inbound,
  request: Request,
  transport: ModernTransport,
): void | Promise<void> {
  const { req, res, principal, surface } = inbound
  const caller: Caller = {
    principal,
    era: 'modern',
    session: sessionOf(request.params, principal),
    envelope: readEnvelope(request.params),
    credentials: readCredentials(req.rawHeaders),
  }
  const mismatch = checkHeaders(inbound, request, caller)
  if (mismatch !== undefined) {
    const error = { code: RPC.headerMismatch, message: mismatch }
    return sendError(res, { status: 400, error, id: request.id })
  }
  if (request.method === 'subscriptions/listen')
    return listenOnStream(inbound, { caller, request }, transport)
  const { params } = request
  const sink = new ResponseSink(inbound, request.id, transport)
  const call = findOrStart({ caller, request, params, sink, surface }, transport.parked)
  if (call === undefined) return sendError(res, { status: 200, error: LOST_STATE, id: request.id })
  // A modern client cancels by closing the response, except after `input_required`.
  inbound.call = call
}

export interface Start {
  readonly caller: Caller
  readonly request: Request
  readonly params: Json | undefined
  readonly sink: Sink
  readonly surface: Surface
}

/**
 * Starts a call, or finds the parked call that this request continues. Returns undefined if there is no such parked
 * call.
 */
export function findOrStart(
  { caller, request, params, sink, surface }: Start,
  parked: ParkedCalls,
): ModernCall | undefined {
  const state = params?.requestState
  if (typeof state === 'string' && state.startsWith(STATE_PREFIX)) {
    const call = parked.take(state, { caller, method: request.method, params, surface })
    call?.resume(sink, params?.inputResponses)
    return call
  }
  const call = new ModernCall(request, { caller, sink, surface, parked })
  void runModern(call, surface)
  return call
}

/** Runs a call to its end. The call always gets an answer, even after an internal error. */
async function runModern(call: ModernCall, surface: Surface): Promise<void> {
  call.finish(call.method === 'server/discover' ? await discover(call, surface) : await surface.handle(call))
}

/**
 * Sends the answer as JSON if it is the only message. The first notification turns the response into an event stream.
 */
class ResponseSink implements Sink {
  readonly #to: OpenResponse
  readonly #id: Id
  readonly #transport: Pick<ModernTransport, 'limits' | 'ledger'>
  #stream: EventStream | undefined

  constructor(to: OpenResponse, id: Id, transport: Pick<ModernTransport, 'limits' | 'ledger'>) {
    this.#to = to
    this.#id = id
    this.#transport = transport
  }

  notify(notification: Notification): void {
    this.#stream ??= new EventStream(this.#to.res, this.#transport.limits.streamBytes)
    this.#stream.send(writeJson(notification))
  }

  finish(answer: Answer): void {
    const { res } = this.#to
    if ('cancelled' in answer) return void res.destroy()
    const bytes = this.#stream === undefined ? bytesOf(answer) : undefined
    if (bytes !== undefined) return this.#sendBytes(bytes)
    const text = writeAnswer(this.#id, answer)
    const error = this.#transport.ledger.send({ res, principal: this.#to.principal, bytes: text.length })
    if (this.#stream !== undefined) this.#stream.finish(error === undefined ? text : this.#write(error))
    else if (error !== undefined) sendJson(res, 200, this.#write(error))
    else sendJson(res, 'error' in answer ? statusOfError(answer.error) : 200, text)
  }

  #sendBytes(bytes: Buffer): void {
    const { res, principal } = this.#to
    const error = this.#transport.ledger.send({ res, principal, bytes: bytes.length })
    if (error === undefined) sendResult(res, this.#id, bytes)
    else sendJson(res, 200, this.#write(error))
  }

  #write(error: RpcError): string {
    return writeAnswer(this.#id, { error })
  }
}

/** Returns an encoded result that is sent as it is, without building a text first; undefined for other answers. */
function bytesOf(answer: Answer): Buffer | undefined {
  if ('bytes' in answer) return answer.bytes
  return 'written' in answer && isLong(answer.written.length) ? Buffer.from(answer.written) : undefined
}

/** Checks that the headers agree with the body. Proxies see only the headers, so a difference could deceive them. */
function checkHeaders(
  { req, headers, surface }: Inbound,
  request: Request,
  caller: Caller,
): string | undefined {
  return (
    findHeaderMismatch(headers, request) ??
    (request.method === 'tools/call'
      ? surface.checkParamHeaders(caller, request.params ?? {}, req)
      : undefined)
  )
}
