import { type Listed, listDefinitions } from '../../../catalog/list-definitions.ts'
import type { Notification } from '../../../protocol/messages.ts'
import { LISTS_CHANGED } from '../../../upstream/connection/server-methods.ts'
import type { UpstreamServer } from '../../../upstream/upstream-server.ts'

/** A server's answer to a request for a list; `late` if it has not answered yet. */
export type ServerList = readonly unknown[] | 'late' | 'failed'

interface Kept {
  readonly starts: number
  readonly askedAt: number
  readonly list: Promise<ServerList>
  /** Set once the server has answered. */
  known?: ServerList
}

interface ServerListsDeps {
  readonly now: () => number
  readonly pause: (ms: number) => Promise<void>
}

/** A list waits at most this long for each server, counted from when the server was asked. */
export const WAIT_MS = 3000
/** The lists of servers that announce no changes are requested again after this time. */
const FRESH_MS = 10_000
/** A server that did not answer is asked again after this time. */
const RETRY_MS = 5000

type Listener = (server: string, news: Notification) => void

/**
 * The lists of all servers as the servers sent them. A server is asked once for all callers and endpoints, and again
 * when its list changes, so many agents cost a server no more than one.
 */
export class ServerLists {
  readonly #deps: ServerListsDeps
  readonly #kept = new WeakMap<UpstreamServer, Map<string, Kept>>()
  readonly #stale = new Map<string, number>()
  readonly #listeners = new Set<Listener>()

  constructor(deps: ServerListsDeps) {
    this.#deps = deps
  }

  /** Calls the listener when a server announces something. Returns a function that removes the listener. */
  listen(listener: Listener): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Takes what a server announces: a changed list is asked for again. */
  announce(server: string, news: Notification): void {
    if (LISTS_CHANGED.has(news.method)) this.#stale.set(server, this.#deps.now())
    for (const listener of this.#listeners) listener(server, news)
  }

  /** Returns a server's whole list, but waits only a limited time for it. */
  async list(server: UpstreamServer, listed: Listed): Promise<ServerList> {
    const kept = this.#find(server, listed) ?? this.#ask(server, listed)
    if (kept.known !== undefined) return kept.known
    const left = kept.askedAt + WAIT_MS - this.#deps.now()
    if (left <= 0) return 'late'
    const late = this.#deps.pause(left).then(() => 'late' as const)
    return Promise.race([kept.list, late])
  }

  #find(server: UpstreamServer, listed: Listed): Kept | undefined {
    const kept = this.#kept.get(server)?.get(listed.method)
    // A list that was requested before a restart can differ. A start is counted only once it has succeeded.
    if (kept === undefined || kept.starts < server.starts) return undefined
    if (kept.known === undefined) return kept
    const age = this.#deps.now() - kept.askedAt
    if (kept.known === 'failed') return age < RETRY_MS ? kept : undefined
    if (kept.askedAt <= (this.#stale.get(server.name) ?? Number.NEGATIVE_INFINITY)) return undefined
    return announcesChanges(server, listed) || age < FRESH_MS ? kept : undefined
  }

  #ask(server: UpstreamServer, listed: Listed): Kept {
    const askedAt = this.#deps.now()
    const list = listOf(server, listed)
    // If this request starts the server, the number of starts increases by one.
    const starts = server.state === 'ready' ? server.starts : server.starts + 1
    const kept: Kept = { starts, askedAt, list }
    const byMethod = this.#kept.get(server) ?? new Map<string, Kept>()
    this.#kept.set(server, byMethod.set(listed.method, kept))
    void list.then(known => {
      kept.known = known
      // Callers that did not wait have a list without this server.
      if (known !== 'failed' && this.#deps.now() - askedAt >= WAIT_MS) this.#announceLate(server, listed)
    })
    return kept
  }

  #announceLate({ name }: UpstreamServer, { capability }: Listed): void {
    const news: Notification = { jsonrpc: '2.0', method: `notifications/${capability}/list_changed` }
    for (const listener of this.#listeners) listener(name, news)
  }
}

async function listOf(server: UpstreamServer, listed: Listed): Promise<ServerList> {
  const { handshake } = server
  if (handshake !== undefined && handshake.capabilities[listed.capability] === undefined) return []
  return (await listDefinitions(server, listed).catch(() => undefined)) ?? 'failed'
}

function announcesChanges({ handshake }: UpstreamServer, { capability }: Listed): boolean {
  const offered = handshake?.capabilities[capability] as { listChanged?: unknown } | undefined
  return offered?.listChanged === true
}
