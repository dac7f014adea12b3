import { EventEmitter } from 'node:events'
import { type Dispatcher, Pool } from 'undici'
import type { Id } from '../protocol/messages.ts'
import type { Channel, ChannelHandlers, Failure, Outgoing } from './channel.ts'
import { readEvents, type StreamPosition } from './read-events.ts'

export interface HttpTarget {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
}

export interface HttpLimits {
  readonly messageBytes: number
  readonly connections: number
}

/** Streamable HTTP: every request is a POST of its own, answered by JSON or by an event stream. */
export interface HttpChannel extends Channel {
  /** What the server gave us at `initialize`, until it forgets it. */
  session: string | undefined
}

const ACCEPT = 'application/json, text/event-stream'
const LISTEN_RETRY_MS = 1000
const DEFAULT_RETRY_MS = 1000
const MAX_RESUMES = 5

export function createHttpChannel(target: HttpTarget, limits: HttpLimits): HttpChannel {
  const url = new URL(target.url)
  const path = `${url.pathname}${url.search}`
  const pool = new Pool(url.origin, {
    connections: limits.connections,
    pipelining: 1,
    // Deadlines are the caller's; a stream may be silent for as long as a tool works.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const inFlight = new Map<Id, EventEmitter>()
  const streams = new Set<EventEmitter>()
  let handlers: ChannelHandlers | undefined
  let isClosed = false

  const sessionHeader = (): Record<string, string> =>
    channel.session === undefined ? {} : { 'mcp-session-id': channel.session }

  async function post(message: Outgoing, to: ChannelHandlers): Promise<void> {
    const { id } = message
    const abort = new EventEmitter()
    if (id !== undefined) inFlight.set(id, abort)
    const usedSession = channel.session
    try {
      const response = await pool.request({
        path,
        method: 'POST',
        headers: {
          ...target.headers,
          'content-type': 'application/json',
          accept: ACCEPT,
          ...sessionHeader(),
          ...message.headers,
        },
        body: message.text,
        signal: abort,
      })
      const session = response.headers['mcp-session-id']
      if (typeof session === 'string') channel.session = session
      if (id === undefined) await response.body.dump()
      else await readAnswer({ id, response, abort, usedSession, headers: message.headers ?? {} }, to)
    } catch (error) {
      if (id !== undefined && inFlight.has(id)) to.onLost(id, networkFailure(error))
    } finally {
      if (id !== undefined) inFlight.delete(id)
    }
  }

  interface Answering {
    readonly id: Id
    readonly response: Dispatcher.ResponseData
    readonly abort: EventEmitter
    readonly usedSession: string | undefined
    readonly headers: Readonly<Record<string, string>>
  }

  async function readAnswer(
    { id, response, abort, usedSession, headers }: Answering,
    to: ChannelHandlers,
  ): Promise<void> {
    const type = String(response.headers['content-type'] ?? '')
    if (response.statusCode === 200 && type.startsWith('text/event-stream')) {
      to.onStream?.(id, 'opened')
      const end = await readEvents(response.body, limits.messageBytes, text => to.onMessage(text, id))
      if (inFlight.has(id)) await resume({ id, abort, headers, position: end, attempt: 1 }, to)
      return
    }
    const text = await readText(response.body, limits.messageBytes)
    if (text === undefined)
      to.onLost(id, {
        kind: 'too-large',
        detail: `an answer of more than ${limits.messageBytes} bytes`,
        notSent: false,
      })
    else if (response.statusCode === 404 && usedSession !== undefined && !text.includes('-32601')) {
      to.onLost(id, { kind: 'session-lost', detail: 'the server no longer knows the session', notSent: true })
    } else if (response.statusCode === 200 || isRpcError(text)) to.onMessage(text, id)
    else to.onLost(id, statusFailure(response.statusCode, text))
  }

  interface Resuming {
    readonly id: Id
    readonly abort: EventEmitter
    readonly headers: Readonly<Record<string, string>>
    readonly position: StreamPosition
    readonly attempt: number
  }

  /** The server closed the stream before it answered; with an event id it can be asked to go on where it stopped. */
  async function resume(
    { id, abort, headers, position, attempt }: Resuming,
    to: ChannelHandlers,
  ): Promise<void> {
    if (position.lastEventId === undefined || attempt > MAX_RESUMES) {
      to.onLost(id, {
        kind: 'unavailable',
        detail: 'the server closed the stream without an answer',
        notSent: false,
      })
      return
    }
    to.onStream?.(id, 'paused')
    await wait(position.retryMs ?? DEFAULT_RETRY_MS, abort)
    const response = await pool.request({
      path,
      method: 'GET',
      headers: {
        ...target.headers,
        accept: 'text/event-stream',
        ...sessionHeader(),
        ...headers,
        'last-event-id': position.lastEventId,
      },
      signal: abort,
    })
    if (response.statusCode !== 200) {
      await response.body.dump()
      to.onLost(id, statusFailure(response.statusCode, ''))
      return
    }
    const end = await readEvents(response.body, limits.messageBytes, text => to.onMessage(text, id))
    if (!inFlight.has(id)) return
    const next = { ...position, ...end }
    await resume(
      { id, abort, headers, position: next, attempt: end.lastEventId === undefined ? attempt + 1 : 1 },
      to,
    )
  }

  async function listenForever(
    headers: Readonly<Record<string, string>>,
    to: ChannelHandlers,
  ): Promise<void> {
    let position: StreamPosition = {}
    while (!isClosed) {
      const abort = new EventEmitter()
      streams.add(abort)
      try {
        const resumed: Record<string, string> =
          position.lastEventId === undefined ? {} : { 'last-event-id': position.lastEventId }
        const response = await pool.request({
          path,
          method: 'GET',
          headers: {
            ...target.headers,
            accept: 'text/event-stream',
            ...sessionHeader(),
            ...headers,
            ...resumed,
          },
          signal: abort,
        })
        // A server without such a stream says so once; there is nothing to wait for.
        if (response.statusCode !== 200) return await response.body.dump()
        position = {
          ...position,
          ...(await readEvents(response.body, limits.messageBytes, text => to.onMessage(text))),
        }
      } catch {
        // The next round tries again; the connection itself is judged by its requests.
      } finally {
        streams.delete(abort)
      }
      await wait(position.retryMs ?? LISTEN_RETRY_MS, abort)
    }
  }

  const channel: HttpChannel = {
    session: undefined,
    async open(to) {
      handlers = to
    },
    send(message) {
      if (handlers !== undefined) void post(message, handlers)
    },
    settle(id) {
      inFlight.delete(id)
    },
    abandon(id) {
      const abort = inFlight.get(id)
      inFlight.delete(id)
      abort?.emit('abort')
    },
    listen(headers) {
      if (handlers !== undefined) void listenForever(headers, handlers)
    },
    async close() {
      isClosed = true
      if (channel.session !== undefined)
        await endSession(pool, path, { ...target.headers, ...sessionHeader() })
      for (const abort of [...inFlight.values(), ...streams]) abort.emit('abort')
      inFlight.clear()
      await pool.destroy()
    },
  }
  return channel
}

async function endSession(pool: Pool, path: string, headers: Record<string, string>): Promise<void> {
  try {
    const response = await pool.request({
      path,
      method: 'DELETE',
      headers,
      headersTimeout: 500,
      bodyTimeout: 500,
    })
    await response.body.dump()
  } catch {
    // A server that is gone has no session to end.
  }
}

async function readText(
  body: Dispatcher.ResponseData['body'],
  maxBytes: number,
): Promise<string | undefined> {
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of body as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size > maxBytes) {
      body.destroy()
      return undefined
    }
    chunks.push(chunk)
  }
  return (chunks.length === 1 && chunks[0] !== undefined ? chunks[0] : Buffer.concat(chunks, size)).toString(
    'utf8',
  )
}

function isRpcError(text: string): boolean {
  try {
    const value = JSON.parse(text) as { jsonrpc?: unknown; error?: { code?: unknown } } | null
    return value?.jsonrpc === '2.0' && typeof value.error?.code === 'number'
  } catch {
    return false
  }
}

function statusFailure(status: number, body: string): Failure {
  const kind = status === 401 || status === 403 ? 'unauthorized' : status >= 500 ? 'unavailable' : 'protocol'
  return {
    kind,
    detail: `the server answered with HTTP ${status}`,
    notSent: status === 401 || status === 403 || status === 503,
    body,
  }
}

/** Errors that say that no byte of the request can have reached the server. */
const NEVER_SENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
])

function networkFailure(error: unknown): Failure {
  const { code = '', message } = error as NodeJS.ErrnoException
  return {
    kind: 'unavailable',
    detail: `the server cannot be reached: ${code === '' ? message : code}`,
    notSent: NEVER_SENT.has(code),
  }
}

function wait(ms: number, abort: EventEmitter): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      abort.off('abort', done)
      resolve()
    }
    const timer = setTimeout(done, ms)
    timer.unref()
    abort.once('abort', done)
  })
}
