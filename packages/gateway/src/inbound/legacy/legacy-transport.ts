import type { ServerResponse } from 'node:http'
import type { Limits } from '../../config/config.ts'
import { readCredentials } from '../../exchange/caller-credentials.ts'
import type { Surface } from '../../exchange/surface.ts'
import { sendError, sendJson } from '../../http/answer.ts'
import {
  isNotification,
  isRequest,
  type Message,
  type Request,
  RPC,
  type RpcError,
  readMessage,
} from '../../protocol/messages.ts'
import { LEGACY_VERSIONS, speaksLegacy } from '../../protocol/modern.ts'
import { writeJson } from '../../protocol/parse-json.ts'
import type { Inbound } from '../wire/inbound.ts'
import { legacyEnvelope } from './legacy-call.ts'
import { LegacySession } from './legacy-session.ts'
import type { LegacySessions } from './legacy-sessions.ts'

export interface LegacyTransport {
  readonly surface: Surface
  readonly sessions: LegacySessions
  readonly limits: Limits
  /**
   * Counts the request towards the limits until it is over, even if the client has disconnected. Returns a function
   * that ends the count.
   */
  hold(inbound: Inbound): () => void
}

const NOT_FOUND: RpcError = { code: RPC.sessionNotFound, message: 'Session not found' }

/** Handles a single request within a session. This is what legacy clients send most often. */
export function handleLegacyRequest(
  inbound: Inbound,
  request: Request,
  transport: LegacyTransport,
): void | Promise<void> {
  const session = acceptsBoth(inbound) ? findSession(inbound, transport) : undefined
  return session?.call(request, inbound.res, transport.hold(inbound))
}

/** Handles a message from a legacy client, or a batch of messages. */
export async function handleLegacyPost(
  inbound: Inbound,
  body: unknown,
  transport: LegacyTransport,
): Promise<void> {
  const { res } = inbound
  if (!acceptsBoth(inbound)) return
  const messages = readMessages(body)
  if (messages === undefined)
    return sendError(res, { status: 400, error: { code: RPC.invalidRequest, message: 'Invalid Request' } })
  const initialize = messages.find(message => isRequest(message) && message.method === 'initialize')
  if (initialize !== undefined) {
    if (messages.length > 1)
      return sendError(res, {
        status: 400,
        error: {
          code: RPC.invalidRequest,
          message: '`initialize` must not be part of a batch; send it alone',
        },
      })
    return openSession(inbound, initialize as Request, transport)
  }
  const session = findSession(inbound, transport)
  if (session === undefined) return
  const release = transport.hold(inbound)
  try {
    await deliver(messages, session, { res, isBatch: Array.isArray(body) })
  } finally {
    release()
  }
}

/** Handles a GET request, which opens the stream for messages that belong to no call. */
export function handleLegacyGet(inbound: Inbound, transport: LegacyTransport): void {
  const { res, headers } = inbound
  if (!accepts(headers.accept ?? '', 'text/event-stream'))
    return refuse(res, 406, 'Accept must include text/event-stream')
  const session = findSession(inbound, transport)
  if (session === undefined) return
  if (!session.attach(res, headers['last-event-id']))
    refuse(res, 409, 'this session already has a stream; close it first')
}

export function handleLegacyDelete(inbound: Inbound, transport: LegacyTransport): void {
  const session = findSession(inbound, transport)
  if (session === undefined) return
  transport.sessions.end(session.id)
  inbound.res.writeHead(200).end()
}

const LONGEST_HELLO = 65_536

async function openSession(
  { headers, res, principal }: Inbound,
  request: Request,
  transport: LegacyTransport,
): Promise<void> {
  if (headers['mcp-session-id'] !== undefined) {
    return sendError(res, {
      status: 400,
      error: {
        code: RPC.invalidRequest,
        message: 'this session is already initialized; send `initialize` without the Mcp-Session-Id header',
      },
      id: request.id,
    })
  }
  // These parameters stay in memory as long as the session, so their length is limited.
  if (writeJson(request.params ?? {}).length > LONGEST_HELLO) {
    const message = `the parameters of \`initialize\` are too long; send at most ${LONGEST_HELLO} characters`
    return sendError(res, { status: 400, error: { code: RPC.invalidParams, message }, id: request.id })
  }
  const { protocolVersion } = request.params ?? {}
  const version = LEGACY_VERSIONS.find(known => known === protocolVersion) ?? LEGACY_VERSIONS[0]
  const session = new LegacySession({
    id: transport.sessions.createId(),
    principal,
    surface: transport.surface,
    protocolVersion: version,
    envelope: legacyEnvelope(request.params ?? {}),
    limits: transport.limits,
    ledger: transport.sessions.ledger,
  })
  const description = await transport.surface.describe(session.caller)
  const isFull = !('code' in description) && !transport.sessions.add(session)
  if ('code' in description || isFull) {
    session.close()
    if (isFull)
      return refuse(res, 503, 'too many sessions are open; end some of them, or raise limits.sessions')
    if ('code' in description) return sendError(res, { status: 200, error: description, id: request.id })
  }
  const result = { protocolVersion: version, ...description }
  sendJson(res, 200, writeJson({ jsonrpc: '2.0', id: request.id, result }), { 'mcp-session-id': session.id })
}

/** Finds the request's session. A session exists only for the caller that opened it, and at the path where it was opened. */
function findSession(
  { req, headers, res, principal }: Inbound,
  transport: LegacyTransport,
): LegacySession | undefined {
  const id = headers['mcp-session-id']
  if (id === undefined) {
    refuse(res, 400, 'Bad Request: Mcp-Session-Id header is required')
    return undefined
  }
  const version = headers['mcp-protocol-version']
  if (version !== undefined && !speaksLegacy(version)) {
    refuse(
      res,
      400,
      `Bad Request: Unsupported protocol version (supported versions: ${LEGACY_VERSIONS.join(', ')})`,
    )
    return undefined
  }
  const session = transport.sessions.find(id)
  if (
    session === undefined ||
    session.principal.id !== principal.id ||
    session.surface !== transport.surface
  ) {
    refuseUnknownSession(res)
    return undefined
  }
  session.lastUsedAt = Date.now()
  session.principal = principal
  session.credentials = readCredentials(req.rawHeaders)
  return session
}

export function refuseUnknownSession(res: ServerResponse): void {
  sendError(res, { status: 404, error: NOT_FOUND })
}

async function deliver(
  messages: readonly Message[],
  session: LegacySession,
  to: { res: ServerResponse; isBatch: boolean },
): Promise<void> {
  const requests = messages.filter(isRequest)
  for (const message of messages) {
    if (isNotification(message)) session.receiveNotification(message)
    else if (!isRequest(message)) session.receive(message)
  }
  const [first] = requests
  if (first === undefined) return void to.res.writeHead(202).end()
  return to.isBatch ? session.callAll(requests, to.res) : session.call(first, to.res)
}

function readMessages(body: unknown): readonly Message[] | undefined {
  const values = Array.isArray(body) ? body : [body]
  const messages = values.map(readMessage)
  return messages.length > 0 && messages.every(message => message !== undefined) ? messages : undefined
}

/**
 * The Accept header that nearly all clients send, because the answer to any request can be JSON or a stream. A
 * comparison with it is faster than parsing.
 */
const USUAL = 'application/json, text/event-stream'

function acceptsBoth({ headers: { accept = '' }, res }: Inbound): boolean {
  if (accept === USUAL) return true
  const isEnough = accepts(accept, 'application/json') && accepts(accept, 'text/event-stream')
  if (!isEnough) refuse(res, 406, 'Accept must include application/json and text/event-stream')
  return isEnough
}

function accepts(accept: string, type: string): boolean {
  return (
    accept.includes(type) ||
    accept.includes('*/*') ||
    accept.includes(`${type.slice(0, type.indexOf('/'))}/*`)
  )
}

function refuse(res: ServerResponse, status: number, message: string): void {
  sendError(res, { status, error: { code: RPC.generic, message } })
}
