import type { Server } from 'node:http'
import { AdminDoor } from '../../admin/admin-door.ts'
import type { Connections } from '../../admission/connections.ts'
import { Ledger } from '../../admission/ledger.ts'
import type { Surface } from '../../exchange/surface.ts'
import { createHttpServer, startListening } from '../../http/http-server.ts'
import type { Principal } from '../../scope/scope.ts'
import { isRefusal } from '../../tokens/tokens.ts'
import { LegacySessions } from '../legacy/legacy-sessions.ts'
import { ParkedCalls } from '../modern/parked-calls.ts'
import type { Inbound } from '../wire/inbound.ts'
import type { HttpDeps } from './http-deps.ts'
import { loadClassify } from './route-legacy.ts'
import { Router } from './router.ts'

/** Listens on the port, and starts and stops the parts that serve requests; `Router` handles each request. */
export class HttpTransport {
  readonly #deps: HttpDeps
  readonly #server: Server
  readonly #sessions: LegacySessions
  readonly #parked: ParkedCalls
  readonly #shutdown = new Set<() => void>()
  readonly #ledger: Ledger
  readonly #connections: Connections

  constructor(deps: HttpDeps) {
    this.#deps = deps
    const { config } = deps
    this.#ledger = new Ledger(config.limits)
    this.#sessions = new LegacySessions(config.limits, deps.stamps, this.#ledger)
    this.#parked = new ParkedCalls(config.limits, deps.stamps)
    const onShutdown = (listener: () => void) => this.#onShutdown(listener)
    const { server, connections } = createHttpServer(config, (req, res) => router.receive(req, res))
    const admin = new AdminDoor({
      admin: deps.admin,
      limits: { open: this.#ledger, longWork: deps.longWork },
      welcome: socket => connections.enter(socket),
      streamBytes: config.limits.streamBytes,
      onShutdown,
    })
    const modern = {
      limits: config.limits,
      parked: this.#parked,
      ledger: this.#ledger,
      becomeStream: (opened: Inbound) => this.#ledger.become(opened, 'stream'),
      onShutdown,
    }
    const router = new Router(deps, {
      ledger: this.#ledger,
      connections,
      admin,
      sessions: this.#sessions,
      modern,
    })
    this.#server = server
    this.#connections = connections
  }

  async listen(): Promise<string> {
    const url = await startListening(this.#server, this.#deps.config)
    loadClassify().catch((error: unknown) => this.#deps.onError(error))
    return url
  }

  /** Called after tokens change. Ends the streams and sessions of callers that have lost their access. */
  async recheck(): Promise<void> {
    const find = async (principal: Principal): Promise<Principal | undefined> => {
      const now = await this.#deps.tokens.recheck(principal)
      return isRefusal(now) ? undefined : now
    }
    await this.#sessions.recheck(find)
    await this.#ledger.recheck(find)
    await this.#parked.recheck(find)
  }

  /** Ends all streams and sessions of a surface that is being removed. */
  endAt(surface: Surface): void {
    this.#sessions.endAt(surface)
    this.#ledger.endAt(surface)
  }

  /** Gives open calls `drainMs` to finish, then ends the rest. */
  async close(drainMs: number): Promise<void> {
    const closed = new Promise<void>(resolve => this.#server.close(() => resolve()))
    for (const listener of this.#shutdown) listener()
    this.#sessions.endStreams()
    const stopEnding = this.#connections.endIdle()
    const deadline = setTimeout(() => {
      this.#parked.close()
      this.#sessions.close()
      this.#server.closeAllConnections()
    }, drainMs)
    await closed
    stopEnding()
    clearTimeout(deadline)
    this.#ledger.close()
    this.#parked.close()
    this.#sessions.close()
  }

  #onShutdown(listener: () => void): () => void {
    this.#shutdown.add(listener)
    return () => this.#shutdown.delete(listener)
  }
}
