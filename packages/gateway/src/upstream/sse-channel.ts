import { EventEmitter } from 'node:events'
import type { Channel, ChannelHandlers } from './channel.ts'
import type { HttpLimits, HttpTarget } from './http-channel.ts'
import { loadUndici } from './load-undici.ts'
import { readEvents } from './read-events.ts'

const ENDPOINT_TIMEOUT_MS = 10_000
const LONGEST_URL = 4096

/** The transport of 2024-11-05: one event stream for everything the server says, and a URL to post to. */
export function createSseChannel(target: HttpTarget, limits: HttpLimits): Channel {
  const url = new URL(target.url)
  const { Pool } = loadUndici()
  const pool = new Pool(url.origin, { connections: limits.connections, headersTimeout: 0, bodyTimeout: 0 })
  const abort = new EventEmitter()
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
        () => reject(new Error('the server named no endpoint to post to')),
        ENDPOINT_TIMEOUT_MS,
      )
      const onData = (data: string, event: string | undefined): void => {
        if (event !== 'endpoint') return to.onMessage(data)
        clearTimeout(timer)
        endpoint = pathOnSameOrigin(url, data)
        if (endpoint === undefined) reject(new Error('the server named an endpoint on another origin'))
        else resolve()
      }
      const closed = (detail: string): void => {
        clearTimeout(timer)
        reject(new Error(detail))
        to.onClosed({ kind: 'unavailable', detail, notSent: false })
      }
      readEvents(response.body, limits.messageBytes, onData).then(
        () => closed('the server closed its event stream'),
        (error: Error) => closed(`the event stream broke: ${error.message}`),
      )
    })
  }

  return {
    async open(to) {
      handlers = to
      await connect(to)
    },
    send(message) {
      const failed = (detail: string): void => {
        if (message.id !== undefined)
          handlers?.onLost(message.id, { kind: 'unavailable', detail, notSent: false })
      }
      pool
        .request({
          path: endpoint ?? '/',
          method: 'POST',
          headers: { ...target.headers, 'content-type': 'application/json', ...message.headers },
          body: message.text,
        })
        .then(async response => {
          await response.body.dump()
          if (response.statusCode >= 300) failed(`the server answered with HTTP ${response.statusCode}`)
        })
        .catch((error: Error) => failed(error.message))
      return undefined
    },
    async close() {
      abort.emit('abort')
      await pool.destroy()
    },
  }
}

/** Credentials go with every post, so the address to post to may only be on the server itself. */
function pathOnSameOrigin(base: URL, endpoint: string): string | undefined {
  if (endpoint.length > LONGEST_URL || !URL.canParse(endpoint, base.href)) return undefined
  const url = new URL(endpoint, base.href)
  return url.origin === base.origin ? `${url.pathname}${url.search}` : undefined
}
