import type { Failure } from '../upstream/channel/channel.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { isNamed, listOver, TOOLS } from './list-definitions.ts'
import { fingerprintOf } from './pins.ts'
import { sortOut } from './sort-tools.ts'

/** What one connection said of its tools: name → fingerprint. */
type Said = ReadonlyMap<string, string>

interface Asked {
  readonly said: Promise<Said | undefined>
  readonly at: number
  /** How many changes the server had announced by then. */
  readonly changes: number
}

/** Whoever announces changes all the time is not asked all the time. */
const PAUSE_MS = 500

/**
 * A server with a process for every session may be somebody else in each of them, and a server that ends itself is
 * started anew by the very call that it waits for. So a connection that no list of the catalog came from is asked for
 * its tools before its first call, and a tool is only called where it is what was approved.
 */
export class ConnectionCheck {
  readonly #asked = new WeakMap<Connection, Asked>()
  readonly #changes = new Map<string, number>()

  /** The server says that its tools changed, on whichever connection. */
  noteChange(server: string): void {
    this.#changes.set(server, (this.#changes.get(server) ?? 0) + 1)
  }

  async findObjection(
    server: UpstreamServer,
    connection: Connection,
    {
      tool,
      mayRun,
    }: { readonly tool: string; readonly mayRun: (fingerprint: string | undefined) => boolean },
  ): Promise<Failure | undefined> {
    const said = await this.#ask(server, connection)
    if (said === undefined) return UNLISTED
    return mayRun(said.get(tool)) ? undefined : NOT_APPROVED
  }

  #ask(server: UpstreamServer, connection: Connection): Promise<Said | undefined> {
    const known = this.#asked.get(connection)
    const changes = this.#changes.get(server.name) ?? 0
    const now = Date.now()
    if (known !== undefined && (known.changes === changes || now - known.at < PAUSE_MS)) return known.said
    const said = listOver(connection, server, TOOLS).then(listed => {
      // Who did not answer is asked again.
      if (listed === undefined) this.#asked.delete(connection)
      return listed === undefined ? undefined : readServerJson(listed)
    })
    this.#asked.set(connection, { said, at: now, changes })
    return said
  }
}

function readServerJson(listed: readonly unknown[]): Said {
  const { unique, doubtful } = sortOut(listed.filter(isNamed))
  return new Map(
    unique
      .filter(({ name }) => !doubtful.has(name))
      .map(({ name, definition }) => [name, fingerprintOf(definition)]),
  )
}

const NOT_APPROVED: Failure = {
  kind: 'quarantined',
  detail: 'where it would run it is not what was approved',
  notSent: true,
}

const UNLISTED: Failure = { kind: 'unavailable', detail: 'its tools could not be listed', notSent: true }
