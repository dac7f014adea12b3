import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http'
import { pipeline } from 'node:stream/promises'
import { loadUndici } from '../base/load-undici.ts'
import { isJsonObject } from '../protocol/messages.ts'
import type { Owner, Stamps } from './stamps.ts'

/** Marks a request as passed on. The replica that receives it answers it itself and never passes it on again. */
const HOP = 'hintgate-hop'

/** Headers that apply to one hop only and are not passed on. */
const OF_ONE_HOP: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

interface ForwardedRequest {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  /** The address of the replica that owns the request's session or parked call. */
  readonly to: string
  /** The request's body; undefined if the method has none. */
  readonly body?: string
}

function isPassedOn(headers: IncomingHttpHeaders): boolean {
  return headers[HOP] !== undefined
}

/**
 * Passes a request on to another replica unchanged, with the caller's own credential, and relays the answer, which can
 * be a stream. Returns false if that replica no longer runs; the request is then still unanswered.
 */
export async function passOn({ req, res, to, body }: ForwardedRequest): Promise<boolean> {
  if (res.destroyed) return true
  const leaving = new AbortController()
  res.once('close', () => leaving.abort())
  const answer = await ask({ req, to, body, signal: leaving.signal })
  if (answer === undefined) return res.destroyed
  res.writeHead(answer.statusCode, withoutHop(answer.headers))
  // A client that opens a stream waits for the headers, which must not wait for the first event.
  res.flushHeaders()
  // If either side closes, the other side is closed, too.
  await pipeline(answer.body, res).catch(() => res.destroy())
  return true
}

async function ask({
  req,
  to,
  body,
  signal,
}: Pick<ForwardedRequest, 'req' | 'to'> & { body: string | undefined; signal: AbortSignal }) {
  try {
    return await loadUndici().request(`${to}${req.url ?? '/'}`, {
      method: req.method === 'POST' || req.method === 'DELETE' ? req.method : 'GET',
      headers: { ...withoutHop(req.headers), [HOP]: '1' },
      ...(body === undefined ? {} : { body }),
      signal,
      // No timeout here, because the other replica applies the call's time limits.
      headersTimeout: 0,
      bodyTimeout: 0,
    })
  } catch {
    return undefined
  }
}

function withoutHop(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = {}
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !OF_ONE_HOP.has(name)) kept[name] = value
  return kept
}

interface Arrived {
  readonly req: IncomingMessage
  readonly headers: { readonly 'mcp-session-id'?: string | undefined }
}

/** Finds the other replica that owns the request's session or parked call. */
export function findOwner({ req, headers }: Arrived, body: unknown, stamps: Stamps): Owner | undefined {
  const name = headers['mcp-session-id'] ?? readState(body)
  if (name === undefined) return undefined
  const owner = stamps.elsewhere(name)
  return owner === undefined || isPassedOn(req.headers) ? undefined : owner
}

function readState(body: unknown): string | undefined {
  if (!isJsonObject(body) || !isJsonObject(body.params)) return undefined
  const { requestState } = body.params
  return typeof requestState === 'string' ? requestState : undefined
}
