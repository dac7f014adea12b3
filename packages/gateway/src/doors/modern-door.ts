import type { ServerResponse } from 'node:http'
import type { Caller } from '../call/exchange.ts'
import type { Limits } from '../config/config.ts'
import {
  type Id,
  isJsonObject,
  type Json,
  type Notification,
  type Request,
  RPC,
  type RpcError,
} from '../protocol/messages.ts'
import { decodeHeader, META, MODERN_VERSION, nameInHeader, readEnvelope } from '../protocol/modern.ts'
import { writeJson } from '../protocol/parse-json.ts'
import { sendError, sendJson, sendResult } from './answer-http.ts'
import type { Inbound } from './inbound.ts'
import { listen } from './listen.ts'
import { ModernCall, type Sink, STATE_PREFIX } from './modern-call.ts'
import type { OpenResponse } from './open-responses.ts'
import type { ParkedCalls } from './parked-calls.ts'
import { sessionOf } from './session-name.ts'
import { EventStream } from './sse.ts'
import type { Answer, Surface } from './surface.ts'
import { writeAnswer } from './write-answer.ts'

export interface ModernDoor {
  readonly limits: Limits
  readonly parked: ParkedCalls
  /** A response stays open from now on; false when too many do. */
  becomeStream(opened: OpenResponse): boolean
  /** Calls back when the gateway shuts down; returns how to stop waiting for that. */
  onShutdown(listener: () => void): () => void
}

/** One request of a modern client: it carries everything about itself, so there is nothing to remember. */
export function handleModern(inbound: Inbound, request: Request, door: ModernDoor): void | Promise<void> {
  const { res, principal, surface } = inbound
  const caller: Caller = {
    principal,
    era: 'modern',
    session: sessionOf(request.params, principal),
    envelope: readEnvelope(request.params),
  }
  const mismatch = checkHeaders(inbound, request, caller)
  if (mismatch !== undefined) {
    const error = { code: RPC.headerMismatch, message: mismatch }
    return sendError(res, { status: 400, error, id: request.id })
  }
  if (request.method === 'subscriptions/listen') return listenOnStream(inbound, { caller, request }, door)
  const { params } = request
  const sink = new ResponseSink(res, request.id, door.limits)
  const call = findOrStart({ caller, request, params, sink, surface }, door.parked)
  if (call === undefined) return sendError(res, { status: 200, error: LOST_STATE, id: request.id })
  // Closing the response is how a modern client cancels, unless it was answered that input is needed.
  inbound.call = call
}

async function listenOnStream(
  inbound: Inbound,
  { caller, request }: { caller: Caller; request: Request },
  door: ModernDoor,
): Promise<void> {
  const { res, surface } = inbound
  if (!door.becomeStream(inbound)) {
    const error = { code: RPC.internal, message: 'too many streams; see limits.streams' }
    return sendError(res, { status: 503, error, id: request.id })
  }
  const open = (): EventStream => new EventStream(res, door.limits.streamBytes)
  const listened = await listen({ caller, request, surface, open })
  if ('error' in listened) return sendError(res, { status: 200, error: listened.error, id: request.id })
  const stopWaiting = door.onShutdown(() => listened.finish())
  res.once('close', () => {
    listened.stop()
    stopWaiting()
  })
}

export const LOST_STATE: RpcError = {
  code: RPC.invalidParams,
  message: 'this request state is unknown here: it has expired, was used already, or belongs to another call',
  data: { reason: 'invalid_request_state' },
}

export interface Start {
  readonly caller: Caller
  readonly request: Request
  readonly params: Json | undefined
  readonly sink: Sink
  readonly surface: Surface
}

/** A new call, or the parked one that this request goes on with; undefined when there is no such. */
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

/** Runs a call to its end and answers it, whatever happens. */
async function runModern(call: ModernCall, surface: Surface): Promise<void> {
  call.finish(call.method === 'server/discover' ? await discover(call, surface) : await surface.handle(call))
}

async function discover(call: ModernCall, surface: Surface): Promise<Answer> {
  const description = await surface.describe(call.caller)
  if ('code' in description) return { error: description }
  const { capabilities, serverInfo, instructions } = description
  return {
    result: {
      supportedVersions: [MODERN_VERSION],
      capabilities,
      ...(instructions === undefined ? {} : { instructions }),
      resultType: 'complete',
      ttlMs: 0,
      cacheScope: 'private',
      _meta: { [META.serverInfo]: serverInfo },
    },
  }
}

/** JSON as long as there is nothing but the answer; an event stream from the first notification on. */
class ResponseSink implements Sink {
  readonly #res: ServerResponse
  readonly #id: Id
  readonly #limits: Limits
  #stream: EventStream | undefined

  constructor(res: ServerResponse, id: Id, limits: Limits) {
    this.#res = res
    this.#id = id
    this.#limits = limits
  }

  notify(notification: Notification): void {
    this.#stream ??= new EventStream(this.#res, this.#limits.streamBytes)
    this.#stream.send(writeJson(notification))
  }

  finish(answer: Answer): void {
    if ('cancelled' in answer) return void this.#res.destroy()
    if ('bytes' in answer && this.#stream === undefined) return sendResult(this.#res, this.#id, answer.bytes)
    const text = writeAnswer(this.#id, answer)
    if (this.#stream === undefined)
      return sendJson(this.#res, 'error' in answer ? statusOf(answer.error) : 200, text)
    this.#stream.send(text)
    this.#stream.end()
  }
}

const STATUS: Readonly<Record<number, number>> = {
  [RPC.methodNotFound]: 404,
  [RPC.missingCapability]: 400,
  [RPC.unsupportedVersion]: 400,
  [RPC.headerMismatch]: 400,
}

function statusOf(error: RpcError): number {
  return STATUS[error.code] ?? 200
}

/** Headers repeat the body for those on the way who cannot read it; where they differ, somebody was deceived. */
function checkHeaders(
  { req, headers, surface }: Inbound,
  request: Request,
  caller: Caller,
): string | undefined {
  const meta = isJsonObject(request.params?._meta) ? request.params._meta : {}
  if (headers['mcp-protocol-version'] !== meta[META.protocolVersion])
    return 'the MCP-Protocol-Version header and the body disagree'
  if (headers['mcp-method'] !== request.method) return 'the Mcp-Method header and the body disagree'
  const name = nameInHeader(request.method, request.params)
  const given = headers['mcp-name']
  if (name !== undefined && (given === undefined || decodeHeader(given) !== name))
    return 'the Mcp-Name header and the body disagree'
  return request.method === 'tools/call'
    ? surface.checkParamHeaders(caller, request.params ?? {}, req)
    : undefined
}
