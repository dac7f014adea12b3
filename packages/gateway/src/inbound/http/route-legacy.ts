import { sendError } from '../../http/answer.ts'
import { RPC, type RpcError } from '../../protocol/messages.ts'
import { MODERN_VERSION } from '../../protocol/modern.ts'
import { readLegacyRequest } from '../../protocol/read-modern.ts'
import {
  handleLegacyDelete,
  handleLegacyGet,
  handleLegacyPost,
  handleLegacyRequest,
  type LegacyTransport,
} from '../legacy/legacy-transport.ts'
import type { Inbound } from '../wire/inbound.ts'
import { refuse } from './refuse-request.ts'

/** Handles a GET request, which opens a session's stream, or a DELETE request, which ends the session. */
export function routeWithoutBody(inbound: Inbound, transport: LegacyTransport): void {
  const { method } = inbound.req
  if (method === 'DELETE') return handleLegacyDelete(inbound, transport)
  if (method === 'GET') return handleLegacyGet(inbound, transport)
  refuse(inbound.res, 405, 'Method Not Allowed', { allow: 'GET, POST, DELETE' })
}

/** Routes all messages except those that are plainly requests of the modern era. */
export function routeLegacy(
  inbound: Inbound,
  body: unknown,
  transport: LegacyTransport,
): void | Promise<void> {
  const request = readLegacyRequest(body, inbound.headers['mcp-protocol-version'])
  if (request !== undefined) return handleLegacyRequest(inbound, request, transport)
  return routeUnclear(inbound, body, transport)
}

/** Routes a message whose protocol era is unclear; the SDK classifies it. */
async function routeUnclear(inbound: Inbound, body: unknown, transport: LegacyTransport): Promise<void> {
  const { headers, res } = inbound
  const classify = await loadClassify()
  const version = headers['mcp-protocol-version']
  const method = headers['mcp-method']
  const outcome = classify({
    httpMethod: 'POST',
    body,
    ...(version === undefined ? {} : { protocolVersionHeader: version }),
    ...(method === undefined ? {} : { mcpMethodHeader: method }),
  })
  if (outcome.kind === 'legacy') return handleLegacyPost(inbound, body, transport)
  if (outcome.kind === 'modern' && outcome.messageKind === 'notification')
    return void res.writeHead(202).end()
  sendError(res, { ...refuseUnclear(outcome), id: idOf(body) })
}

function idOf(body: unknown): string | number | null {
  const id = (body as { id?: unknown } | null)?.id
  return typeof id === 'string' || typeof id === 'number' ? id : null
}

interface Refused {
  readonly status: number
  readonly error: RpcError
}

type Outcome = ReturnType<Classify>

/** Explains what is wrong with a message that is neither legacy nor plainly modern. */
function refuseUnclear(
  outcome: Extract<Outcome, { kind: 'reject' }> | Extract<Outcome, { kind: 'modern' }>,
): Refused {
  return outcome.kind === 'reject' ? rejection(outcome) : refuseModern(outcome)
}

function rejection({ httpStatus, code, message, data }: Extract<Outcome, { kind: 'reject' }>): Refused {
  return { status: httpStatus, error: { code, message, ...(data === undefined ? {} : { data }) } }
}

/** Refuses a modern message that has an unsupported revision, or headers that contradict the body. */
function refuseModern({ classification }: Extract<Outcome, { kind: 'modern' }>): Refused {
  const { revision } = classification
  if (revision === MODERN_VERSION) {
    return {
      status: 400,
      error: {
        code: RPC.headerMismatch,
        message: 'the MCP-Protocol-Version header and the body name different versions',
      },
    }
  }
  const data = { supported: [MODERN_VERSION], requested: revision }
  return {
    status: 400,
    error: { code: RPC.unsupportedVersion, message: `Unsupported protocol version: ${revision}`, data },
  }
}

type Classify = typeof import('@modelcontextprotocol/server')['classifyInboundRequest']

let loading: Promise<Classify> | undefined

/**
 * Loads the SDK's classifier on demand. The SDK is large, and the gateway should be able to listen before it is loaded.
 */
export function loadClassify(): Promise<Classify> {
  loading ??= import('@modelcontextprotocol/server').then(sdk => sdk.classifyInboundRequest)
  return loading
}
