import { Agent, type Dispatcher, request as send } from 'undici'
import { isNotification, isRequest, type Json, type Message, readMessage } from '../../protocol/messages.ts'
import { encodeHeader, MODERN_VERSION, nameInHeader } from '../../protocol/modern.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { readEvents } from '../../upstream/http/read-events.ts'
import {
  type OnNotification,
  type Reply,
  type SurfaceClient,
  type Wanted,
  writeParams,
} from './surface-client.ts'

interface HttpTarget {
  /** The gateway's URL, without the path of a surface. */
  readonly url: string
  readonly token: string
  readonly signal: AbortSignal
}

const MAX_DEPTH = 1000
const MAX_EVENT_BYTES = 256 * 1024 * 1024

export class HttpClient implements SurfaceClient {
  readonly #target: HttpTarget
  // The HTTP client has no timeouts, because the gateway limits the duration of calls.
  readonly #agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  #requests = 0

  constructor(target: HttpTarget) {
    this.#target = target
  }

  async ready() {
    return { failed: [], started: 1 }
  }

  async request(path: string, wanted: Wanted, onNotification?: OnNotification): Promise<Reply> {
    this.#requests += 1
    const { method } = wanted
    const params = writeParams(wanted.params, onNotification)
    const body = writeJson({ jsonrpc: '2.0', id: this.#requests, method, params })
    const response = await this.#post(path, body, headersOf(method, params))
    if (response.statusCode === 401) throw this.#unauthorised()
    const messages = isStream(response)
      ? await this.#readStream(response, onNotification)
      : await this.#readBody(response)
    return this.#findReply(messages, response)
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }

  #post(
    path: string,
    body: string,
    headers: Readonly<Record<string, string>>,
  ): Promise<Dispatcher.ResponseData> {
    const { url, token, signal } = this.#target
    const authorization = token === '' ? {} : { authorization: `Bearer ${token}` }
    return send(`${url}${path}`, {
      method: 'POST',
      dispatcher: this.#agent,
      signal,
      body,
      headers: { ...headers, ...authorization },
    }).catch((error: NodeJS.ErrnoException) => {
      const why = error.code ?? error.message
      throw new Error(
        `cannot reach ${url} (${why})\n  fix: Start the gateway with hintgate serve, or correct --url.`,
        {
          cause: error,
        },
      )
    })
  }

  async #readStream({ body }: Dispatcher.ResponseData, onNotification?: OnNotification): Promise<Message[]> {
    const replies: Message[] = []
    await readEvents(body, MAX_EVENT_BYTES, data => {
      const message = this.#parse(data)
      if (message === undefined) return
      if (isNotification(message)) onNotification?.(message)
      else replies.push(message)
    })
    return replies
  }

  async #readBody({ body }: Dispatcher.ResponseData): Promise<Message[]> {
    const message = this.#parse(await body.text())
    return message === undefined ? [] : [message]
  }

  #parse(text: string): Message | undefined {
    const parsed = parseJson(text, MAX_DEPTH)
    return parsed.ok ? readMessage(parsed.value) : undefined
  }

  #findReply(messages: readonly Message[], { statusCode }: Dispatcher.ResponseData): Reply {
    for (const message of messages) {
      if (isNotification(message) || isRequest(message)) continue
      if (message.error !== undefined) return { error: message.error }
      if (message.result !== undefined) return { result: message.result }
    }
    throw new Error(`${this.#target.url} is not a gateway (HTTP ${statusCode})\n  fix: Correct --url.`)
  }

  #unauthorised(): Error {
    const { url, token } = this.#target
    return new Error(
      token === ''
        ? `${url} requires a token\n  fix: Create one with hintgate tokens create, and set $HINTGATE_TOKEN or --token.`
        : `${url} rejected the token: it is unknown, revoked or expired\n  fix: Create a new one with hintgate tokens create.`,
    )
  }
}

/** Returns the headers of a request. They repeat parts of the body for proxies that do not read bodies. */
function headersOf(method: string, params: Json): Record<string, string> {
  const name = nameInHeader(method, params)
  return {
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': MODERN_VERSION,
    'mcp-method': method,
    ...(name === undefined ? {} : { 'mcp-name': encodeHeader(name) }),
  }
}

function isStream({ headers }: Dispatcher.ResponseData): boolean {
  return String(headers['content-type']).startsWith('text/event-stream')
}
