import { LIMITS } from '../../admission/limits.ts'
import type { WatchedResources } from '../../exchange/surface.ts'
import type { Notification } from '../../protocol/messages.ts'
import type { Attempt } from '../../upstream/attempt.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'
import { Renewal } from './renewal.ts'
import { SubscribeInTurn, type SubscribeResult } from './subscribe-in-turn.ts'

/** Limits on the number of watched resources, because a modern server receives the whole list again on every change. */
const { perCaller, inAll } = LIMITS.watched
/** Maximum length of a URI in characters, because a URI stays in memory as long as its resource is watched. */
const LONGEST_URI = 8192
/** A server must confirm a subscription within this time. */
const SUBSCRIBE_MS = 10_000

/**
 * The URIs that a caller watches and their total length in characters. A URI counts once for each session that watches
 * it.
 */
interface Share {
  readonly uris: string[]
  length: number
}

/**
 * Manages the watched resources of one server and their watchers. A legacy server gets one request per resource, a few
 * at a time, so that calls do not have to wait. A modern server gets a single stream, which is reopened once for
 * changes that arrive together.
 */
export class Subscriptions {
  readonly #server: UpstreamServer
  readonly #onEvent: (notification: Notification) => void
  readonly #watched = new Map<string, number>()
  /** The total length of all watched URIs, in characters. */
  #length = 0
  readonly #byCaller = new Map<string, Share>()
  /** The resources whose subscription a legacy server has confirmed. */
  readonly #confirmed = new Set<string>()
  readonly #unsent = new SubscribeInTurn({ send: uri => this.#send(uri), pause })
  readonly #renewal = new Renewal({ renew: () => this.#openStream(), pause, now: () => performance.now() })
  #stream: Attempt | undefined
  #isClosed = false

  constructor(server: UpstreamServer, onEvent: (notification: Notification) => void) {
    this.#server = server
    this.#onEvent = onEvent
  }

  /** Subscribes again after a reconnection, because the server has then forgotten all subscriptions. */
  restart(): void {
    this.#confirmed.clear()
    if (this.#server.handshake?.era === 'modern') this.#renewal.ask()
    else for (const [caller, { uris }] of this.#byCaller) this.#unsent.add(caller, uris)
  }

  hasRoom(caller: string, uri: string): boolean {
    const { uris = [], length = 0 } = this.#byCaller.get(caller) ?? {}
    if (uris.length >= perCaller.count || length + uri.length > perCaller.length) return false
    if (this.#watched.has(uri)) return true
    const hasRoom = this.#watched.size < inAll.count && this.#length + uri.length <= inAll.length
    return uri.length <= LONGEST_URI && hasRoom
  }

  /** Watches as many of the wanted resources as the limits allow. */
  watchResources(caller: string, wanted: readonly string[]): WatchedResources {
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
    this.#unsent.close()
    this.#renewal.close()
    this.#isClosed = true
    this.#stream?.cancel('no longer needed')
  }

  #add(caller: string, uri: string): boolean {
    if (!this.hasRoom(caller, uri)) return false
    const count = this.#watched.get(uri) ?? 0
    this.#watched.set(uri, count + 1)
    if (count === 0) this.#length += uri.length
    const share = this.#byCaller.get(caller) ?? { uris: [], length: 0 }
    share.uris.push(uri)
    share.length += uri.length
    this.#byCaller.set(caller, share)
    return true
  }

  #remove(caller: string, uri: string): void {
    takeOne(this.#watched, uri)
    if (!this.#watched.has(uri)) this.#length -= uri.length
    const share = this.#byCaller.get(caller)
    if (share === undefined) return
    share.uris.splice(share.uris.indexOf(uri), 1)
    share.length -= uri.length
    if (share.uris.length === 0) this.#byCaller.delete(caller)
  }

  #changed(caller: string, uris: readonly string[]): void {
    if (uris.length === 0) return
    if (this.#server.handshake?.era === 'modern') this.#renewal.ask()
    else this.#unsent.add(caller, uris)
  }

  async #send(uri: string): Promise<SubscribeResult> {
    const isWanted = this.#watched.has(uri)
    if (isWanted === this.#confirmed.has(uri)) return 'done'
    const { reply } = this.#server.send({
      method: isWanted ? 'resources/subscribe' : 'resources/unsubscribe',
      params: { uri },
      envelope: this.#server.ownEnvelope,
      timeoutMs: SUBSCRIBE_MS,
      session: '',
    })
    const said = await reply
    if (said.kind !== 'answer' && isWanted) return said.kind === 'timeout' ? 'unanswered' : 'later'
    // If the server refused, it is asked again when another caller wants to watch the resource.
    const isAgreed = isWanted && said.kind === 'answer' && said.message.error === undefined
    if (isAgreed) this.#confirmed.add(uri)
    else this.#confirmed.delete(uri)
    return isWanted === this.#watched.has(uri) ? 'done' : 'changed'
  }

  /** Opens a stream for all watched resources. Returns how many characters were sent. */
  async #openStream(): Promise<number> {
    const length = this.#length
    const notifications = {
      toolsListChanged: true,
      promptsListChanged: true,
      resourcesListChanged: true,
      resourceSubscriptions: [...this.#watched.keys()],
    }
    try {
      const stream = await this.#server.open({
        method: 'subscriptions/listen',
        params: { notifications },
        envelope: this.#server.ownEnvelope,
        timeoutMs: 0,
        session: '',
        client: { notify: notification => this.#onEvent(notification) },
      })
      const previous = this.#stream
      this.#stream = stream
      previous?.cancel()
      if (this.#isClosed) stream.cancel('no longer needed')
    } catch {
      // The server is down. `restart` is called when it is back.
    }
    return length
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
