import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { LogLevel } from '../call/log.ts'
import type { ClientInfo, FormAnswer, Progress, Wire } from '../call/wire.ts'

const NO_ANSWERS: ReadonlyMap<string, FormAnswer> = new Map()

/** The connection back to the caller through the SDK, for both eras. */
export class SdkWire implements Wire {
  readonly #ctx: ServerContext
  readonly #server: McpServer
  readonly #logger: string
  readonly answers: ReadonlyMap<string, FormAnswer>
  #unsent: Promise<void>[] | undefined

  constructor(ctx: ServerContext, server: McpServer, about: { logger: string; answers?: Wire['answers'] }) {
    this.#ctx = ctx
    this.#server = server
    this.#logger = about.logger
    this.answers = about.answers ?? NO_ANSWERS
  }

  get signal(): AbortSignal {
    return this.#ctx.mcpReq.signal
  }

  get client(): ClientInfo {
    const envelope: Readonly<Record<string, unknown>> = this.#ctx.mcpReq.envelope ?? {}
    const isModern = CLIENT_CAPABILITIES_META_KEY in envelope
    const info = isModern ? envelope[CLIENT_INFO_META_KEY] : this.#server.server.getClientVersion()
    const capabilities = isModern
      ? envelope[CLIENT_CAPABILITIES_META_KEY]
      : this.#server.server.getClientCapabilities()
    return { ...readInfo(info), capabilities: isRecord(capabilities) ? capabilities : {} }
  }

  async progress(progress: Progress): Promise<void> {
    const progressToken = this.#ctx.mcpReq._meta?.progressToken
    if (progressToken === undefined || this.signal.aborted) return
    await this.#ctx.mcpReq.notify({
      method: 'notifications/progress',
      params: { progressToken, ...progress },
    })
  }

  log(level: LogLevel, message: string, data?: unknown): void {
    const line = data === undefined ? message : { message, data }
    this.#unsent ??= []
    // A failed log message usually means that the client has disconnected, which is not the tool's fault.
    this.#unsent.push(this.#ctx.mcpReq.log(level, line, this.#logger).catch(() => {}))
  }

  /**
   * Waits until all log lines are sent: they must arrive before the result, which ends the stream. Returns undefined if
   * there are none, in which case the call need not wait.
   */
  flush(): Promise<unknown> | undefined {
    return this.#unsent === undefined ? undefined : Promise.all(this.#unsent)
  }
}

function readInfo(info: unknown): { name?: string; version?: string } {
  if (!isRecord(info)) return {}
  const { name, version } = info
  return {
    ...(typeof name === 'string' ? { name } : {}),
    ...(typeof version === 'string' ? { version } : {}),
  }
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null
}
