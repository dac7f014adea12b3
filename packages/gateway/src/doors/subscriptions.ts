import type { Notification } from '../protocol/messages.ts'
import type { Sent } from '../upstream/sent.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Following } from './surface.ts'

/** Resources of one server that one caller may watch at a time, and all callers together. */
const MOST_PER_CALLER = 256
const MOST = 4096
/** They are kept as long as they are watched. */
const LONGEST_URI = 8192
/** A server that is busy, or away, is told later. */
const PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 30_000

/**
 * Which resources of one server are being watched, and by how many. An older server is told resource by resource, one at
 * a time, so that nobody's calls wait for it; a modern one has one stream that is opened anew when the set changes.
 */
export class Subscriptions {
  readonly #server: UpstreamServer
  readonly #onEvent: (notification: Notification) => void
  readonly #watched = new Map<string, number>()
  readonly #byCaller = new Map<string, number>()
  /** What an older server has agreed to. */
  readonly #told = new Set<string>()
  /** What it has to be told. */
  readonly #untold = new Set<string>()
  #isTelling = false
  #isClosed = false
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
    else this.#reconcile([...this.#watched.keys()])
  }

  hasRoom(caller: string, uri: string): boolean {
    const isRoom = this.#watched.has(uri) || this.#watched.size < MOST
    return isRoom && uri.length <= LONGEST_URI && (this.#byCaller.get(caller) ?? 0) < MOST_PER_CALLER
  }

  /** Watches those that there is room for. */
  follow(caller: string, wanted: readonly string[]): Following {
    const uris = [...new Set(wanted)].filter(uri => this.#add(caller, uri))
    this.#changed(uris)
    let isOver = false
    const stop = (): void => {
      if (isOver) return
      isOver = true
      for (const uri of uris) this.#remove(caller, uri)
      this.#changed(uris)
    }
    return { uris, stop }
  }

  close(): void {
    this.#isClosed = true
    this.#opening += 1
    this.#stream?.cancel('no longer needed')
  }

  #add(caller: string, uri: string): boolean {
    if (!this.hasRoom(caller, uri)) return false
    this.#watched.set(uri, (this.#watched.get(uri) ?? 0) + 1)
    this.#byCaller.set(caller, (this.#byCaller.get(caller) ?? 0) + 1)
    return true
  }

  #remove(caller: string, uri: string): void {
    takeOne(this.#watched, uri)
    takeOne(this.#byCaller, caller)
  }

  #changed(uris: readonly string[]): void {
    if (uris.length === 0) return
    if (this.#server.handshake?.era === 'modern') void this.#openStream()
    else this.#reconcile(uris)
  }

  #reconcile(uris: readonly string[]): void {
    for (const uri of uris) this.#untold.add(uri)
    if (!this.#isTelling) void this.#tellAll()
  }

  /** Until the server has heard everything, or nobody wants to watch it any more. */
  async #tellAll(): Promise<void> {
    this.#isTelling = true
    let pause = PAUSE_MS
    // What is added meanwhile, by others or because it did not succeed, comes up in the same loop.
    for (const uri of this.#untold) {
      if (this.#isClosed) break
      this.#untold.delete(uri)
      if (await this.#tell(uri)) pause = PAUSE_MS
      else {
        this.#untold.add(uri)
        await new Promise(resolve => setTimeout(resolve, pause).unref())
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS)
      }
    }
    this.#isTelling = false
  }

  /** False: the server has not heard it. */
  async #tell(uri: string): Promise<boolean> {
    const isWanted = this.#watched.has(uri)
    if (isWanted === this.#told.has(uri)) return true
    const { reply } = this.#server.send({
      method: isWanted ? 'resources/subscribe' : 'resources/unsubscribe',
      params: { uri },
      envelope: this.#server.ownEnvelope,
      timeoutMs: 10_000,
      session: '',
    })
    const said = await reply
    if (said.kind !== 'answer' && isWanted) return false
    // A server that refused is asked again when somebody else wants to watch it.
    const isAgreed = isWanted && said.kind === 'answer' && said.message.error === undefined
    if (isAgreed) this.#told.add(uri)
    else this.#told.delete(uri)
    if (isWanted !== this.#watched.has(uri)) this.#untold.add(uri)
    return true
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

function takeOne(counts: Map<string, number>, key: string): void {
  const count = counts.get(key) ?? 0
  if (count > 1) counts.set(key, count - 1)
  else counts.delete(key)
}
