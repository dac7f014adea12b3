import type { Notification } from '../protocol/messages.ts'
import type { Sent } from '../upstream/sent.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

/**
 * Which resources of one server are being watched, and by how many. An older server is told resource by resource;
 * a modern one has one stream that is opened anew when the set changes.
 */
export class Subscriptions {
  readonly #server: UpstreamServer
  readonly #onEvent: (notification: Notification) => void
  readonly #watched = new Map<string, number>()
  #stream: Sent | undefined
  #opening = 0

  constructor(server: UpstreamServer, onEvent: (notification: Notification) => void) {
    this.#server = server
    this.#onEvent = onEvent
  }

  /** The connection is new: nothing that was watched before is watched now. */
  restart(): void {
    if (this.#server.handshake?.era === 'modern') void this.#openStream()
    else for (const uri of this.#watched.keys()) this.#tell('resources/subscribe', uri)
  }

  follow(uris: readonly string[]): () => void {
    const isNew = uris.filter(uri => this.#add(uri))
    this.#changed('resources/subscribe', isNew)
    return () => {
      const isGone = uris.filter(uri => this.#remove(uri))
      this.#changed('resources/unsubscribe', isGone)
    }
  }

  close(): void {
    this.#opening += 1
    this.#stream?.cancel('no longer needed')
  }

  #add(uri: string): boolean {
    const count = this.#watched.get(uri) ?? 0
    this.#watched.set(uri, count + 1)
    return count === 0
  }

  #remove(uri: string): boolean {
    const count = this.#watched.get(uri) ?? 0
    if (count > 1) this.#watched.set(uri, count - 1)
    else this.#watched.delete(uri)
    return count === 1
  }

  #changed(method: string, uris: readonly string[]): void {
    if (uris.length === 0) return
    if (this.#server.handshake?.era === 'modern') void this.#openStream()
    else for (const uri of uris) this.#tell(method, uri)
  }

  #tell(method: string, uri: string): void {
    this.#server.send({
      method,
      params: { uri },
      envelope: this.#server.ownEnvelope,
      timeoutMs: 10_000,
      session: '',
    })
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
