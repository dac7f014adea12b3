import type { Busy, OpenResponse } from '../../admission/ledger.ts'
import type { Limits } from '../../config/config.ts'
import type { Caller } from '../../exchange/exchange.ts'
import type { Answer, Surface } from '../../exchange/surface.ts'
import { sendError } from '../../http/answer.ts'
import { EventStream } from '../../http/sse.ts'
import { type Request, RPC } from '../../protocol/messages.ts'
import { META, MODERN_VERSION } from '../../protocol/modern.ts'
import type { Inbound } from '../wire/inbound.ts'
import { listen } from '../wire/listen.ts'
import type { ModernCall } from './modern-call.ts'

export interface StreamDeps {
  readonly limits: Limits
  /** Counts the response as a stream from now on. Returns a refusal if too many streams are open. */
  becomeStream(opened: OpenResponse): Busy | undefined
  /** Calls the listener when the gateway shuts down. Returns a function that removes the listener. */
  onShutdown(listener: () => void): () => void
}

/**
 * Handles `subscriptions/listen`. The response stays open and carries the notifications to which the client subscribed.
 */
export async function listenOnStream(
  inbound: Inbound,
  { caller, request }: { caller: Caller; request: Request },
  deps: StreamDeps,
): Promise<void> {
  const { res, surface } = inbound
  const busy = deps.becomeStream(inbound)
  if (busy !== undefined) {
    const error = { code: RPC.internal, message: busy.message }
    return sendError(res, { status: busy.status, error, id: request.id })
  }
  const open = (): EventStream => new EventStream(res, deps.limits.streamBytes)
  const listened = await listen({ caller, request, surface, open })
  if ('error' in listened) return sendError(res, { status: 200, error: listened.error, id: request.id })
  // If the client disconnected during the check, the `close` event has already been emitted.
  if (res.closed || res.destroyed) return listened.stop()
  const stopWaiting = deps.onShutdown(() => listened.finish())
  res.once('close', () => {
    listened.stop()
    stopWaiting()
  })
}

/** Answers `server/discover` with the surface's description. */
export async function discover(call: ModernCall, surface: Surface): Promise<Answer> {
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
