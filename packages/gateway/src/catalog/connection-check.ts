import type { Failure } from '../upstream/channel/channel.ts'
import type { Connection } from '../upstream/connection/connection.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { isNamed, listOver, TOOLS } from './list-definitions.ts'
import { fingerprintOf } from './pins.ts'
import { sortOut } from './sort-tools.ts'

/** The fingerprints of the tools that one connection listed, by name. */
type ListedTools = ReadonlyMap<string, string>

interface Asked {
  readonly said: Promise<ListedTools | undefined>
  readonly at: number
  /** The number of changes that the server had announced when it was asked. */
  readonly changes: number
}

/** Minimum time between two requests, in milliseconds, because a server can announce changes constantly. */
const PAUSE_MS = 500

/**
 * Checks the tools of a connection that did not supply the catalog's list. If a server has one process per session, the
 * processes can differ, and a server that exits is restarted by the call that waits for it. Such a connection is asked
 * for its tools before its first call, and only approved versions of tools are called on it.
 */
export class ConnectionCheck {
  readonly #asked = new WeakMap<Connection, Asked>()
  readonly #changes = new Map<string, number>()

  /** Notes that the server announced, on any connection, that its tools changed. */
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

  #ask(server: UpstreamServer, connection: Connection): Promise<ListedTools | undefined> {
    const known = this.#asked.get(connection)
    const changes = this.#changes.get(server.name) ?? 0
    const now = Date.now()
    if (known !== undefined && (known.changes === changes || now - known.at < PAUSE_MS)) return known.said
    const said = listOver(connection, server, TOOLS).then(listed => {
      // A failed request is repeated at the next call.
      if (listed === undefined) this.#asked.delete(connection)
      return listed === undefined ? undefined : readListed(listed)
    })
    this.#asked.set(connection, { said, at: now, changes })
    return said
  }
}

function readListed(listed: readonly unknown[]): ListedTools {
  const { unique, doubtful } = sortOut(listed.filter(isNamed))
  return new Map(
    unique
      .filter(({ name }) => !doubtful.has(name))
      .map(({ name, definition }) => [name, fingerprintOf(definition)]),
  )
}

const NOT_APPROVED: Failure = {
  kind: 'quarantined',
  detail: 'the server process that would run the call lists a different, unapproved definition',
  notSent: true,
}

const UNLISTED: Failure = {
  kind: 'unavailable',
  detail: "the server's tools could not be listed",
  notSent: true,
}
