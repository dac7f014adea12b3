import type { Catalog } from '../../catalog/catalog.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'

/** The first list of tools waits at most this long for servers that are just starting. */
const FIRST_START_MS = 3000

/**
 * Waits for a short time, once, for each server that starts for the first time. Later lists of tools do not wait for
 * that server.
 */
export class FirstStart {
  readonly #catalog: Catalog
  readonly #moments = new WeakMap<UpstreamServer, Promise<void>>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /**
   * Returns undefined if no server is starting. A failed start ends the wait without an error, because the catalog
   * reports it to the operator.
   */
  wait(servers: readonly UpstreamServer[]): Promise<unknown> | undefined {
    const starting = servers.filter(
      server => this.#catalog.isExpected(server.name) && server.lastFailure === undefined,
    )
    return starting.length === 0
      ? undefined
      : Promise.allSettled(starting.map(server => this.#waitFor(server)))
  }

  #waitFor(server: UpstreamServer): Promise<void> {
    const moment = this.#moments.get(server) ?? pause(FIRST_START_MS)
    this.#moments.set(server, moment)
    return Promise.race([this.#catalog.ensure(server) ?? moment, moment])
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}
