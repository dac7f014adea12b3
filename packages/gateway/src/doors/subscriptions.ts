import type { Notification } from '../protocol/messages.ts'
import type { Sent } from '../upstream/sent.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Following } from './surface.ts'
import { TellInTurn, type Told } from './tell-in-turn.ts'

/** Resources of one server that one caller may watch at a time, and all callers together. */
const MOST_PER_CALLER = 256
const MOST = 4096
/** They are kept as long as they are watched. */
const LONGEST_URI = 8192
/** Longest that a server may take to say that it watches one. */
const TELL_MS = 10_000

/**
 * Which resources of one server are being watched, and by how many. An older server is told resource by resource, few at
 * a time, so that nobody's calls wait for it; a modern one has one stream that is opened anew when the set changes.
 */
export class Subscriptions {
  readonly #server: UpstreamServer
  readonly #onEvent: (notification: Notification) => void
  readonly #watched = new Map<string, number>()
  /** Of each caller, what it watches, once for every session that does. */
  readonly #byCaller = new Map<string, string[]>()
  /** What an older server has agreed to. */
  readonly #told = new Set<string>()
  readonly #untold = new TellInTurn({ tell: uri => this.#tell(uri), pause })
  #stream: Sent | undefined
  #opening = 0

  constructor(server: UpstreamServer, onEvent: (notification: Notification) => void) {
    this.#server = server
    this.#onEvent = onEvent
  }

  /** The connection is new: nothing that was watched before is watched now. */
  restart(): void {
    this.#told.clear()
    if (this.#server.handshake?.era === 'modern') void this.#openStream()
    else for (const [caller, uris] of this.#byCaller) this.#untold.add(caller, uris)
  }

  hasRoom(caller: string, uri: string): boolean {
    const isRoom = this.#watched.has(uri) || this.#watched.size < MOST
    return isRoom && uri.length <= LONGEST_URI && (this.#byCaller.get(caller)?.length ?? 0) < MOST_PER_CALLER
  }

  /** Watches those that there is room for. */
  follow(caller: string, wanted: readonly string[]): Following {
    const uris = [...new Set(wanted)].filter(uri => this.#add(caller, uri))
    this.#changed(caller, uris)
    let isOver = false
    const stop = (): void => {
      if (isOver) return
      isOver = true
      for (const uri of uris) this.#remove(caller, uri)
      this.#changed(caller, uris)
    }
    return { uris, stop }
  }

  close(): void {
    this.#untold.close()
    this.#opening += 1
    this.#stream?.cancel('no longer needed')
  }

  #add(caller: string, uri: string): boolean {
    if (!this.hasRoom(caller, uri)) return false
    this.#watched.set(uri, (this.#watched.get(uri) ?? 0) + 1)
    const all = this.#byCaller.get(caller)
    if (all === undefined) this.#byCaller.set(caller, [uri])
    else all.push(uri)
    return true
  }

  #remove(caller: string, uri: string): void {
    takeOne(this.#watched, uri)
    const all = this.#byCaller.get(caller) ?? []
    all.splice(all.indexOf(uri), 1)
    if (all.length === 0) this.#byCaller.delete(caller)
  }

  #changed(caller: string, uris: readonly string[]): void {
    if (uris.length === 0) return
    if (this.#server.handshake?.era === 'modern') void this.#openStream()
    else this.#untold.add(caller, uris)
  }

  async #tell(uri: string): Promise<Told> {
    const isWanted = this.#watched.has(uri)
    if (isWanted === this.#told.has(uri)) return 'heard'
    const { reply } = this.#server.send({
      method: isWanted ? 'resources/subscribe' : 'resources/unsubscribe',
      params: { uri },
      envelope: this.#server.ownEnvelope,
      timeoutMs: TELL_MS,
      session: '',
    })
    const said = await reply
    if (said.kind !== 'answer' && isWanted) return said.kind === 'timeout' ? 'unanswered' : 'later'
    // A server that refused is asked again when somebody else wants to watch it.
    const isAgreed = isWanted && said.kind === 'answer' && said.message.error === undefined
    if (isAgreed) this.#told.add(uri)
    else this.#told.delete(uri)
    return isWanted === this.#watched.has(uri) ? 'heard' : 'changed'
  }

  async #openStream(): Promise<void> {
    const turn = ++this.#opening
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: [...this.#watched.keys()],
    }
    const previous = this.#stream
    try {
      const stream = await this.#server.open({
        method: 'subscriptions/listen',
        params: { notifications },
        envelope: this.#server.ownEnvelope,
        timeoutMs: 0,
        session: '',
        behind: { notify: notification => this.#onEvent(notification) },
      })
      // Another change came meanwhile; its stream is the one that counts.
      if (turn !== this.#opening) return stream.cancel()
      this.#stream = stream
      previous?.cancel()
    } catch {
      // The server is down; `restart` comes when it is back.
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms).unref())
}

function takeOne(counts: Map<string, number>, key: string): void {
  const count = counts.get(key) ?? 0
  if (count > 1) counts.set(key, count - 1)
  else counts.delete(key)
}
