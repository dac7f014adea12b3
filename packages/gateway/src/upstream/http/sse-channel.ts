import { EventEmitter } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { LIMITS } from '../../admission/limits.ts'
import { Meter } from '../../admission/meter.ts'
import { loadUndici } from '../../base/load-undici.ts'
import type { Id } from '../../protocol/messages.ts'
import type { Channel, ChannelHandlers, Failure, Outgoing, RequestStream } from '../channel/channel.ts'
import { ANSWERS_UNREAD, ONE_WAY_MS, OneWayMessages } from '../channel/one-way-messages.ts'
import type { HttpLimits, HttpTarget } from './http-target.ts'
import { createEventReader } from './read-events.ts'

const ENDPOINT_TIMEOUT_MS = 10_000
const LONGEST_URL = 4096
const MOST_UNREAD = 64 * 1024

/**
 * The transport of protocol version 2024-11-05: one event stream for all messages from the server, and a URL to which
 * messages for the server are posted.
 */
export function createSseChannel(target: HttpTarget, limits: HttpLimits): Channel {
  const url = new URL(target.url)
  const { Pool } = loadUndici()
  const pool = new Pool(url.origin, { connections: limits.connections, headersTimeout: 0, bodyTimeout: 0 })
  const abort = new EventEmitter()
  const oneWay = new OneWayMessages(limits.bodyBytes)
  let endpoint: string | undefined
  let handlers: ChannelHandlers | undefined

  async function connect(to: ChannelHandlers): Promise<void> {
    const headers = { ...target.headers, accept: 'text/event-stream' }
    const response = await pool.request({
      path: `${url.pathname}${url.search}`,
      method: 'GET',
      headers,
      signal: abort,
    })
    if (response.statusCode !== 200) {
      await response.body.dump()
      throw new Error(`the server answered with HTTP ${response.statusCode}`)
    }
    await new Promise<void>((resolve, reject) => {
      const timer = setTimeout(
        () => reject(new Error('the server did not say within 10 seconds which URL accepts messages')),
        ENDPOINT_TIMEOUT_MS,
      )
      let isNamed = false
      const onData = (data: string, event: string | undefined): number => {
        // Only the first `endpoint` event counts. Later ones are treated like any other message.
        if (event !== 'endpoint' || isNamed) return to.onMessage(data)
        isNamed = true
        clearTimeout(timer)
        endpoint = pathOnSameOrigin(url, data)
        if (endpoint === undefined) reject(new Error('the server named a message URL on a different origin'))
        else resolve()
        return 0
      }
      const closed = (detail: string): void => {
        clearTimeout(timer)
        reject(new Error(detail))
        to.onClosed({ kind: 'unavailable', detail, notSent: false })
      }
      readAtItsPace(response.body, limits.messageBytes, onData).then(
        () => closed('the server closed its event stream'),
        (error: Error) => closed(`the server's event stream broke: ${error.message}`),
      )
    })
  }

  /** Posts a message. The HTTP response is discarded, because the answer comes on the event stream. */
  async function post({ text: body, headers }: Outgoing, signal: AbortSignal): Promise<number> {
    const response = await pool.request({
      path: endpoint ?? '/',
      method: 'POST',
      headers: { ...target.headers, 'content-type': 'application/json', ...headers },
      body,
      signal,
    })
    await response.body.dump({ limit: MOST_UNREAD, signal })
    return response.statusCode
  }

  function call(id: Id, message: Outgoing): RequestStream {
    const cancelled = new AbortController()
    const failed = (detail: string): void =>
      handlers?.onLost(id, { kind: 'unavailable', detail, notSent: false })
    post(message, cancelled.signal).then(
      status => status >= 300 && failed(`the server answered with HTTP ${status}`),
      (error: Error) => failed(error.message),
    )
    return { settle() {}, abandon: () => cancelled.abort() }
  }

  function say(message: Outgoing): void {
    const admitted = oneWay.admit(message)
    if (admitted === 'unread') return close(ANSWERS_UNREAD)
    if (admitted === undefined) return
    post(admitted, AbortSignal.timeout(ONE_WAY_MS))
      .catch(() => {})
      .finally(() => oneWay.release(admitted))
  }

  function close(failure: Failure): void {
    handlers?.onClosed(failure)
    abort.emit('abort')
    pool.destroy().catch(() => {})
  }

  return {
    async open(to) {
      handlers = to
      await connect(to)
    },
    send(message) {
      if (message.id !== undefined) return call(message.id, message)
      say(message)
      return undefined
    },
    async close() {
      abort.emit('abort')
      await pool.destroy()
    },
  }
}

/** Reads an event stream. When `onData` returns a number of milliseconds, reading pauses for that long. */
async function readAtItsPace(
  body: AsyncIterable<Uint8Array>,
  maxBytes: number,
  onData: (data: string, event: string | undefined) => number,
): Promise<void> {
  let pauseMs = 0
  const noise = new Meter(LIMITS.talk.lines)
  const rest = (ms: number): void => {
    pauseMs = Math.max(pauseMs, ms)
  }
  const reader = createEventReader(
    maxBytes,
    (data, event) => rest(onData(data, event)),
    lines => rest(noise.charge(lines, performance.now())),
  )
  for await (const chunk of body) {
    reader.feed(chunk)
    if (pauseMs > 0) await sleep(pauseMs, undefined, { ref: false })
    pauseMs = 0
  }
}

/**
 * Returns the path of the endpoint; undefined if it is on a different origin than the server, because every post
 * carries credentials.
 */
function pathOnSameOrigin(base: URL, endpoint: string): string | undefined {
  if (endpoint.length > LONGEST_URL || !URL.canParse(endpoint, base.href)) return undefined
  const url = new URL(endpoint, base.href)
  return url.origin === base.origin ? `${url.pathname}${url.search}` : undefined
}
