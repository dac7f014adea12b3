import type { Attention } from '../admission/talk.ts'
import type { ServerConfig } from '../config/config.ts'
import type { Era } from '../store/store.ts'
import type { Channel, Failure } from './channel/channel.ts'
import { hideOwnSecrets } from './channel/hide-own-secrets.ts'
import { Connection } from './connection/connection.ts'
import type { ConnectionEvents } from './connection/connection-options.ts'
import { capabilitiesWith, type Roots } from './connection/roots.ts'
import type { Screen } from './connection/screen-questions.ts'
import type { OnFault } from './connection/upstream-request.ts'
import { HandshakeError, type HandshakeOptions, shakeHands } from './handshake.ts'

export interface OpenerDeps {
  createChannel(config: ServerConfig): Channel
  readonly clientInfo: HandshakeOptions['clientInfo']
  rememberedEra(): Promise<Era | undefined>
  /** Called with the error when the gateway itself fails while handling a message from the server. */
  readonly onFault?: OnFault
}

/** The settings that a connection needs from the start. */
interface ConnectionSetup {
  readonly roots: Roots
  readonly screen: Screen
  readonly attention: Attention
  /** Called when the connection closes, but only if its handshake had succeeded. */
  readonly onClosed: (failure: Failure, openedAt: number) => void
  readonly onEvent: ConnectionEvents['onEvent']
}

interface ConnectOptions {
  readonly remembered: Era | undefined
  readonly config: ServerConfig
}

/** Opens connections to one server, using the era and transport that the server supports. */
export class Opener {
  readonly #config: ServerConfig
  readonly #deps: OpenerDeps
  /** Connections whose handshake is in progress. Stopping does not wait for them. */
  readonly #opening = new Set<Connection>()
  #isStopped = false

  constructor(config: ServerConfig, deps: OpenerDeps) {
    this.#config = config
    this.#deps = deps
  }

  async open(wanted: ConnectionSetup): Promise<Connection> {
    const remembered = await this.#deps.rememberedEra()
    try {
      return await this.#try(wanted, { remembered, config: this.#config })
    } catch (error) {
      const other = this.#isStopped ? undefined : this.#findFallback(remembered, error)
      if (other === undefined) throw error
      return this.#try(wanted, other).catch((second: unknown) => {
        // A failure with the older transport is reported only if the server supports that transport.
        throw other.config === this.#config ? second : error
      })
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#opening].map(connection => connection.close()))
  }

  /**
   * Returns the options for a second attempt, or undefined if none makes sense. Some servers exit on an unknown
   * request, and some support only the HTTP+SSE transport of 2024-11-05.
   */
  #findFallback(remembered: Era | undefined, error: unknown): ConnectOptions | undefined {
    const { transport } = this.#config
    if (transport.kind === 'stdio' && remembered === undefined && !isMissingProgram(error))
      return { remembered: 'legacy', config: this.#config }
    if (transport.kind !== 'http' || !(error instanceof HandshakeError)) return undefined
    return { remembered: 'legacy', config: { ...this.#config, transport: { ...transport, kind: 'sse' } } }
  }

  async #try(
    { roots, screen, attention, onClosed, onEvent }: ConnectionSetup,
    { remembered, config }: ConnectOptions,
  ): Promise<Connection> {
    const openedAt = Date.now()
    const events: ConnectionEvents = {
      onEvent,
      onClosed: failure => {
        if (connection.handshake !== undefined) onClosed(failure, openedAt)
      },
    }
    const { onFault } = this.#deps
    const options = { roots, screen, attention, onFault }
    const connection = new Connection(this.#deps.createChannel(config), events, options)
    this.#opening.add(connection)
    try {
      await inTime(connection.open(), config.startTimeoutMs)
      await shakeHands(connection, {
        clientInfo: this.#deps.clientInfo,
        capabilities: capabilitiesWith(roots),
        remembered,
        probeTimeoutMs: Math.min(PROBE_MS, config.startTimeoutMs),
        timeoutMs: config.startTimeoutMs,
      })
      return connection
    } catch (error) {
      await connection.close()
      if (error instanceof HandshakeError) error.message = hideOwnSecrets(config.transport)(error.message)
      throw error
    } finally {
      this.#opening.delete(connection)
    }
  }
}

/** Limits the time that opening may take, because some transports wait for the server even before the handshake. */
function inTime(opening: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new HandshakeError('the server did not answer in time')), ms).unref()
  })
  return Promise.race([opening, late]).finally(() => clearTimeout(timer))
}

/** How long a server may stay silent before the legacy handshake is sent as well. */
const PROBE_MS = 5000

function isMissingProgram(error: unknown): boolean {
  return ['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Returns the failure for calls to a server that did not start. */
export function startFailure(error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException
  const detail = code === 'ENOENT' ? 'the configured command does not exist on this machine' : message
  const isRefused = error instanceof HandshakeError && error.failure?.kind === 'unauthorized'
  return {
    kind: isRefused ? 'unauthorized' : 'unavailable',
    detail: `the server did not start: ${detail}`,
    notSent: true,
    isLasting: true,
  }
}
