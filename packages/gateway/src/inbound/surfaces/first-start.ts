import type { Catalog } from '../../catalog/catalog.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'

/** The longest time that the first list waits for servers that are just starting. */
const FIRST_START_MS = 3000

/** Gives each server that starts for the first time one short wait; later lists do not wait for that server. */
export class FirstStart {
  readonly #catalog: Catalog
  readonly #moments = new WeakMap<UpstreamServer, Promise<void>>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
  }

  /** Undefined if no server is starting. A failed start ends the wait without an error; the catalog tells the operator. */
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
