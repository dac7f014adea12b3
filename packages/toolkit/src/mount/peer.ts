import {
  isJSONRPCErrorResponse,
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  LATEST_PROTOCOL_VERSION,
  type Transport,
} from '@modelcontextprotocol/server'
import type { Progress } from '../call/wire.ts'

type Json = Readonly<Record<string, unknown>>

const HELLO_MS = 30_000

/** Thrown when a mounted server answers with an error or disconnects. */
export class PeerError extends Error {}

interface Pending {
  resolve(result: Json): void
  reject(error: unknown): void
  readonly onProgress: ((progress: Progress) => void) | undefined
}

interface RequestOptions {
  readonly signal?: AbortSignal
  readonly onProgress?: (progress: Progress) => void
}

/**
 * The client side of a connection to a mounted server. It does not use the SDK's typed client, which drops unknown
 * fields.
 */
export class Peer {
  readonly #transport: Transport
  readonly #pending = new Map<number, Pending>()
  #ids = 0
  capabilities: Json = {}

  constructor(transport: Transport) {
    this.#transport = transport
  }

  async open(name: string): Promise<void> {
    Object.assign(this.#transport, {
      onmessage: (message: JSONRPCMessage) => this.#receive(message),
      onclose: () => this.#end(new PeerError('The mounted server has disconnected.')),
    })
    await this.#transport.start()
    const hello = await this.request(
      'initialize',
      {
        protocolVersion: LATEST_PROTOCOL_VERSION,
        // Without client capabilities, the mounted server cannot ask the caller anything.
        capabilities: {},
        clientInfo: { name, version: '1.0.0' },
      },
      { signal: AbortSignal.timeout(HELLO_MS) },
    )
    this.capabilities = isRecord(hello.capabilities) ? hello.capabilities : {}
    if (typeof hello.protocolVersion === 'string') this.#transport.setProtocolVersion?.(hello.protocolVersion)
    await this.#transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
  }

  request(method: string, params: Json, { signal, onProgress }: RequestOptions = {}): Promise<Json> {
    const id = ++this.#ids
    const token = onProgress === undefined ? {} : { _meta: { progressToken: id } }
    return new Promise((resolve, reject) => {
      const cancel = (): void => {
        this.#settle(id)?.reject(signal?.reason)
        const said = { method: 'notifications/cancelled', params: { requestId: id, reason: 'cancelled' } }
        this.#transport.send({ jsonrpc: '2.0', ...said }).catch(() => {})
      }
      const finish = <T>(settle: (value: T) => void) => {
        return (value: T): void => {
          signal?.removeEventListener('abort', cancel)
          settle(value)
        }
      }
      this.#pending.set(id, { resolve: finish(resolve), reject: finish(reject), onProgress })
      if (signal?.aborted) return cancel()
      signal?.addEventListener('abort', cancel, { once: true })
      this.#transport
        .send({ jsonrpc: '2.0', id, method, params: { ...params, ...token } })
        .catch(error => this.#settle(id)?.reject(error))
    })
  }

  /** Reads all pages of a list. */
  async list(method: string, field: string): Promise<Json[]> {
    const found: Json[] = []
    let cursor: unknown
    do {
      const page = await this.request(method, cursor === undefined ? {} : { cursor })
      const items = page[field]
      if (Array.isArray(items)) found.push(...asOnWire(items).filter(isRecord))
      cursor = page.nextCursor
    } while (typeof cursor === 'string')
    return found
  }

  close(): Promise<void> {
    return this.#transport.close()
  }

  #receive(message: JSONRPCMessage): void {
    if (isJSONRPCResultResponse(message)) this.#settle(message.id)?.resolve(message.result)
    else if (isJSONRPCErrorResponse(message))
      this.#settle(message.id)?.reject(new PeerError(message.error.message))
    else if (isJSONRPCRequest(message)) this.#reply(message.id, message.method)
    else if ('method' in message && message.method === 'notifications/progress')
      this.#advance(message.params ?? {})
  }

  #settle(id: unknown): Pending | undefined {
    const pending = typeof id === 'number' ? this.#pending.get(id) : undefined
    if (typeof id === 'number') this.#pending.delete(id)
    return pending
  }

  #reply(id: string | number, method: string): void {
    const error = { code: -32_601, message: `${method} is not supported.` }
    const answer = method === 'ping' ? { result: {} } : { error }
    this.#transport.send({ jsonrpc: '2.0', id, ...answer }).catch(() => {})
  }

  #advance({ progressToken, progress, total, message }: Json): void {
    const pending = typeof progressToken === 'number' ? this.#pending.get(progressToken) : undefined
    if (typeof progress !== 'number') return
    pending?.onProgress?.({
      progress,
      ...(typeof total === 'number' ? { total } : {}),
      ...(typeof message === 'string' ? { message } : {}),
    })
  }

  #end(error: Error): void {
    for (const id of [...this.#pending.keys()]) this.#settle(id)?.reject(error)
  }
}

/** Removes undefined fields. Within one process, objects can have such fields; JSON omits them. */
function asOnWire(items: readonly unknown[]): unknown[] {
  return JSON.parse(JSON.stringify(items)) as unknown[]
}

function isRecord(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
