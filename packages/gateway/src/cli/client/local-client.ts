import type { CallVariant } from '@hintgate/metadata'
import type { Explanation } from '../../call/explain-call.ts'
import { sessionOf } from '../../exchange/session-name.ts'
import { SilentExchange } from '../../exchange/silent-exchange.ts'
import type { Answer } from '../../exchange/surface.ts'
import { ModernCall } from '../../inbound/modern/modern-call.ts'
import type { Gateway } from '../../main.ts'
import { type Json, RPC } from '../../protocol/messages.ts'
import { readEnvelope } from '../../protocol/modern.ts'
import { parseJson } from '../../protocol/parse-json.ts'
import { splitId } from '../../protocol/split-id.ts'
import type { Principal } from '../../scope/scope.ts'
import {
  type OnNotification,
  type Reply,
  type SurfaceClient,
  type Wanted,
  writeParams,
} from './surface-client.ts'

interface ExplainOptions {
  readonly variant: CallVariant | undefined
  readonly session: string | undefined
}

interface LocalDeps {
  readonly gateway: Gateway
  readonly principal: Principal
  /** The servers that were started. */
  readonly servers: readonly string[]
  /** Aborts when the person no longer wants to wait. */
  readonly signal: AbortSignal
  readonly say: (line: string) => void
  closeStore(): Promise<void>
}

/** Deeper than anything that a connection to a server lets through. */
const MAX_DEPTH = 1000
const PATIENCE_MS = 3000
/** A call can only be parked for somebody who can be asked. */
const NO_PARKING = { createState: () => '', park() {}, grow() {} }

/** The surfaces of a gateway in this process, as over HTTP but for the bytes. */
export class LocalClient implements SurfaceClient {
  readonly #deps: LocalDeps
  #requests = 0

  constructor(deps: LocalDeps) {
    this.#deps = deps
  }

  /** The gateway itself would soon go on without a slow server; who asks once wants to see all of them. */
  async ready() {
    const { servers, say } = this.#deps
    const waiting = new Set(servers)
    const patience = setTimeout(() => say(`waiting for ${[...waiting].join(', ')}`), PATIENCE_MS)
    const failed: string[] = []
    await Promise.all(
      servers.map(async name => {
        const reply = await this.request(`/mcp/servers/${name}`, { method: 'tools/list' })
        waiting.delete(name)
        if (!('error' in reply)) return
        failed.push(name)
        say(reply.error.message)
      }),
    )
    clearTimeout(patience)
    return { failed, started: servers.length - failed.length }
  }

  async request(path: string, { method, params }: Wanted, onNotification?: OnNotification): Promise<Reply> {
    const { gateway, principal, signal } = this.#deps
    const surface = gateway.findSurface(path, principal)
    if (surface === undefined) return { error: { code: RPC.generic, message: `there is nothing at ${path}` } }
    const written = writeParams(params, onNotification)
    const caller = {
      principal,
      era: 'modern',
      session: sessionOf(written, principal),
      envelope: readEnvelope(written),
    } as const
    this.#requests += 1
    const request = { jsonrpc: '2.0', id: this.#requests, method, params: written } as const
    return new Promise((resolve, reject) => {
      const sink = {
        notify: onNotification ?? (() => {}),
        finish: (answer: Answer): void => resolve(toReply(answer)),
      }
      const call = new ModernCall(request, { caller, sink, surface, parked: NO_PARKING })
      const cancel = (): void => call.cancel('the person no longer waits')
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      surface.handle(call).then(answer => call.finish(answer), reject)
    })
  }

  /** What would become of a call of this caller; nothing is called. */
  explain(id: string, args: Json, { variant, session }: ExplainOptions): Promise<Explanation> {
    const { gateway, principal } = this.#deps
    const caller = {
      principal,
      era: 'modern',
      session: session ?? sessionOf(undefined, principal),
      envelope: readEnvelope(undefined),
    } as const
    return gateway.explain({
      exchange: new SilentExchange('explain', caller),
      ...splitId(id),
      typed: id,
      params: { arguments: args },
      ...(variant === undefined ? {} : { claim: { variant } }),
    })
  }

  async close(): Promise<void> {
    await this.#deps.gateway.close()
    await this.#deps.closeStore()
  }
}

function toReply(answer: Answer): Reply {
  if ('result' in answer || 'error' in answer) return answer
  if ('cancelled' in answer) return { error: { code: RPC.generic, message: 'the call was cancelled' } }
  const parsed = parseJson('written' in answer ? answer.written : answer.bytes.toString(), MAX_DEPTH)
  if (!parsed.ok) throw new Error(`the answer is ${parsed.reason}`)
  return { result: parsed.value as Extract<Reply, { result: unknown }>['result'] }
}
