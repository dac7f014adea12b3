import type { Catalog } from '../../catalog/catalog.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'

/** How long the first list waits for servers that are just starting. */
const FIRST_START_MS = 3000

/** A server that starts for the first time gets a moment, once; later lists do not wait for it. */
export class FirstStart {
  readonly #catalog: Catalog
  readonly #moments = new WeakMap<UpstreamServer, Promise<void>>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /**
   * Undefined if no server is starting. A failure does not concern the caller; the catalog tells the operator.
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
