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
  /** Told of faults of ours with what the server says. */
  readonly onFault?: OnFault
}

/** What a connection is to have from its beginning. */
interface Wanted {
  readonly roots: Roots
  readonly screen: Screen
  readonly attention: Attention
  /** Of a connection that has said hello; others close unheard. */
  readonly onClosed: (failure: Failure, openedAt: number) => void
  readonly onEvent: ConnectionEvents['onEvent']
}

interface Way {
  readonly remembered: Era | undefined
  readonly config: ServerConfig
}

/** Makes connections to one server, in the way that it understands. */
export class Opener {
  readonly #config: ServerConfig
  readonly #deps: OpenerDeps
  /** Connections that are still saying hello; stopping does not wait for them. */
  readonly #opening = new Set<Connection>()
  #isStopped = false

  constructor(config: ServerConfig, deps: OpenerDeps) {
    this.#config = config
    this.#deps = deps
  }

  async open(wanted: Wanted): Promise<Connection> {
    const remembered = await this.#deps.rememberedEra()
    try {
      return await this.#try(wanted, { remembered, config: this.#config })
    } catch (error) {
      const other = this.#isStopped ? undefined : this.#findOtherWay(remembered, error)
      if (other === undefined) throw error
      return this.#try(wanted, other).catch((second: unknown) => {
        // What a server says in the older transport is of interest only if it has it.
        throw other.config === this.#config ? second : error
      })
    }
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await Promise.all([...this.#opening].map(connection => connection.close()))
  }

  /** Some servers end at a question they do not know, and some know only the transport of 2024. */
  #findOtherWay(remembered: Era | undefined, error: unknown): Way | undefined {
    const { transport } = this.#config
    if (transport.kind === 'stdio' && remembered === undefined && !isMissingProgram(error))
      return { remembered: 'legacy', config: this.#config }
    if (transport.kind !== 'http' || !(error instanceof HandshakeError)) return undefined
    return { remembered: 'legacy', config: { ...this.#config, transport: { ...transport, kind: 'sse' } } }
  }

  async #try(
    { roots, screen, attention, onClosed, onEvent }: Wanted,
    { remembered, config }: Way,
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

/** Some transports have to be answered before anybody can be greeted. */
function inTime(opening: Promise<void>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<void>((_, reject) => {
    timer = setTimeout(() => reject(new HandshakeError('the server did not answer in time')), ms).unref()
  })
  return Promise.race([opening, late]).finally(() => clearTimeout(timer))
}

/** Longest that a server may be silent before it is greeted in the old way. */
const PROBE_MS = 5000

function isMissingProgram(error: unknown): boolean {
  return ['ENOENT', 'EACCES'].includes((error as NodeJS.ErrnoException).code ?? '')
}

/** Why there is no connection, for those who wanted one. */
export function startFailure(error: unknown): Failure {
  const { code, message } = error as NodeJS.ErrnoException
  const detail = code === 'ENOENT' ? 'its command does not exist on this machine' : message
  const isRefused = error instanceof HandshakeError && error.failure?.kind === 'unauthorized'
  return {
    kind: isRefused ? 'unauthorized' : 'unavailable',
    detail: `the server did not start: ${detail}`,
    notSent: true,
    isLasting: true,
  }
}
