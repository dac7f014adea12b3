import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Caller } from '../call/exchange.ts'
import type { Limits } from '../config/config.ts'
import { type Id, isJsonObject, type Json, type Request, RPC, type RpcError } from '../protocol/messages.ts'
import { decodeHeader, META, MODERN_VERSION, nameInHeader, readEnvelope } from '../protocol/modern.ts'
import { writeJson } from '../protocol/parse-json.ts'
import type { Principal } from '../tokens/scope.ts'
import { sendError, sendJson } from './answer-http.ts'
import { listen } from './listen.ts'
import { ModernCall, type Sink, STATE_PREFIX } from './modern-call.ts'
import type { ParkedCalls } from './parked-calls.ts'
import type { KnownHeaders } from './read-headers.ts'
import { sessionOf } from './session-name.ts'
import { EventStream } from './sse.ts'
import type { Answer, Surface } from './surface.ts'
import { writeAnswer } from './write-answer.ts'

export interface ModernDoor {
  readonly surface: Surface
  readonly limits: Limits
  readonly parked: ParkedCalls
  /** A response stays open from now on; false when too many do. */
  becomeStream(res: ServerResponse): boolean
  /** Calls back when the gateway shuts down; returns how to stop waiting for that. */
  onShutdown(listener: () => void): () => void
}

interface Inbound {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly headers: KnownHeaders
  readonly principal: Principal
  /** Called when the response is over, finished or not. */
  onClose?: () => void
}

/** One request of a modern client: it carries everything about itself, so there is nothing to remember. */
export function handleModern(inbound: Inbound, request: Request, door: ModernDoor): void | Promise<void> {
  const { res, principal } = inbound
  const caller: Caller = {
    principal,
    era: 'modern',
    session: sessionOf(request.params, principal),
    envelope: readEnvelope(request.params),
  }
  const mismatch = checkHeaders(inbound, request, { caller, surface: door.surface })
  if (mismatch !== undefined) {
    const error = { code: RPC.headerMismatch, message: mismatch }
    return sendError(res, { status: 400, error, id: request.id })
  }
  if (request.method === 'subscriptions/listen') return listenOnStream(res, { caller, request }, door)
  const { params } = request
  const sink = createSink(res, request.id, door.limits)
  const call = findOrStart({ caller, request, params, sink }, door)
  if (call === undefined) return sendError(res, { status: 200, error: LOST_STATE, id: request.id })
  // Closing the response is how a modern client cancels, unless it was answered that input is needed.
  inbound.onClose = () => {
    if (!res.writableFinished && !call.isParked) call.cancel('the client went away')
  }
}

async function listenOnStream(
  res: ServerResponse,
  { caller, request }: { caller: Caller; request: Request },
  door: ModernDoor,
): Promise<void> {
  if (!door.becomeStream(res)) {
    const error = { code: RPC.internal, message: 'too many streams; see limits.streams' }
    return sendError(res, { status: 503, error, id: request.id })
  }
  const open = (): EventStream => new EventStream(res, door.limits.streamBytes)
  const listened = await listen({ caller, request, surface: door.surface, open })
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
}

/** A new call, or the parked one that this request goes on with; undefined when there is no such. */
export function findOrStart(
  { caller, request, params, sink }: Start,
  door: Pick<ModernDoor, 'surface' | 'parked'>,
): ModernCall | undefined {
  const state = params?.requestState
  if (typeof state === 'string' && state.startsWith(STATE_PREFIX)) {
    const call = door.parked.take(state, { caller, method: request.method, params, surface: door.surface })
    call?.resume(sink, params?.inputResponses)
    return call
  }
  const call = new ModernCall({ caller, id: request.id, method: request.method, params }, sink, parked =>
    door.parked.park(parked, door.surface),
  )
  void runModern(call, door.surface)
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
function createSink(res: ServerResponse, id: Id, limits: Limits): Sink {
  let stream: EventStream | undefined
  return {
    notify(notification) {
      stream ??= new EventStream(res, limits.streamBytes)
      stream.send(writeJson(notification))
    },
    finish(answer) {
      if ('cancelled' in answer) return void res.destroy()
      const text = writeAnswer(id, answer)
      if (stream === undefined) return sendJson(res, 'error' in answer ? statusOf(answer.error) : 200, text)
      stream.send(text)
      stream.end()
    },
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
  { req, headers }: Inbound,
  request: Request,
  { caller, surface }: { caller: Caller; surface: Surface },
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
