import { Unfinished } from '../../admission/unfinished.ts'
import { lookUpPublic } from '../../base/public-address.ts'
import { connectTo } from '../../http/client/connect-to.ts'
import { WirePool } from '../../http/client/wire-pool.ts'
import { type Id, isJsonObject, type Json, RPC, type RpcError } from '../../protocol/messages.ts'
import { LEGACY_VERSIONS } from '../../protocol/modern.ts'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import type { Channel, ChannelHandlers, Outgoing, RequestStream } from '../channel/channel.ts'
import type { HttpLimits } from '../http/http-target.ts'
import type { ApiTarget } from './api-target.ts'
import { ClientCredentials } from './client-credentials.ts'
import { markOf } from './document/load-document.ts'
import type { LeftOut } from './document/operation.ts'
import { type Api, loadApi } from './load-api.ts'
import { ToolCall } from './tool-call.ts'

/** How many unfinished answers of maximum length can be in memory. */
const MOST_HELD = 8
/** Number of tools on one page of a list. */
const PAGE = 100
const MOST_LINES = 40
const MOST_DEPTH = 300

/**
 * Answers MCP on behalf of an HTTP API: its operations are the tools. Everything above a channel (review, verdicts,
 * retries, the breaker, the log) works as for any server.
 */
export class OpenApiChannel implements Channel {
  readonly #name: string
  readonly #target: ApiTarget
  readonly #limits: HttpLimits
  readonly #unfinished: Unfinished
  readonly #credentials: ClientCredentials | undefined
  #handlers: ChannelHandlers | undefined
  /** The API as the document describes it now. */
  #api: Api | undefined
  /** The API as it was last listed. Calls use it, because only a listed tool can have been reviewed. */
  #listed: Api | undefined
  #pool: WirePool | undefined
  #stopWatching = (): void => {}
  #problem: string | undefined
  #isClosed = false

  constructor(name: string, target: ApiTarget, limits: HttpLimits) {
    this.#name = name
    this.#target = target
    this.#limits = limits
    this.#unfinished = new Unfinished(MOST_HELD * limits.messageBytes)
    const { auth } = target
    this.#credentials = auth?.kind === 'clientCredentials' ? new ClientCredentials(auth, Date.now) : undefined
  }

  /** What the document offers and why operations are left out, for operators. */
  get stderr(): readonly string[] {
    const problem = this.#problem === undefined ? [] : [`the document is not read again: ${this.#problem}`]
    return [...problem, ...describeLeftOut(this.#api?.leftOut ?? [])]
  }

  async open(handlers: ChannelHandlers): Promise<void> {
    this.#handlers = handlers
    const api = await loadApi(this.#target)
    await this.#credentials?.prepare()
    const { url, isFromDocument } = api.base
    // The operator chose the address in the config. One from the document could be anyone's.
    const connect = isFromDocument ? connectTo(url, lookUpPublic) : connectTo(url)
    this.#pool = new WirePool(connect, this.#limits.connections)
    this.#api = api
    this.#watch(api)
  }

  send({ text, id, credential }: Outgoing): RequestStream | undefined {
    if (id === undefined) return undefined
    const parsed = parseJson(text, MOST_DEPTH)
    const { method, params } = (parsed.ok ? parsed.value : {}) as { method?: string; params?: Json }
    const given = isJsonObject(params) ? params : {}
    if (method === 'tools/call') return this.#call(id, given, credential)
    const answer = this.#answer(method ?? '', given)
    // The caller is told later, as with a real connection.
    queueMicrotask(() => this.#reply(id, answer))
    return undefined
  }

  async close(): Promise<void> {
    this.#isClosed = true
    this.#stopWatching()
    this.#pool?.destroy()
  }

  #answer(method: string, params: Json): { readonly result: Json } | { readonly error: RpcError } {
    switch (method) {
      case 'initialize':
        return { result: this.#describe() }
      case 'ping':
        return { result: {} }
      case 'tools/list':
        return { result: this.#list(params.cursor) }
      default:
        return { error: { code: RPC.methodNotFound, message: 'an HTTP API has only tools' } }
    }
  }

  #describe(): Json {
    const { name = '', version = '', description } = this.#api?.info ?? {}
    return {
      protocolVersion: LEGACY_VERSIONS[0],
      capabilities: { tools: { listChanged: true } },
      serverInfo: { name, version },
      ...(description === undefined ? {} : { instructions: description }),
    }
  }

  #list(cursor: unknown): Json {
    const from = typeof cursor === 'string' ? Number(cursor) : 0
    if (from === 0) this.#listed = this.#api
    const all = [...(this.#listed?.operations.values() ?? [])]
    const next = from + PAGE
    return {
      tools: all.slice(from, next).map(({ definition }) => definition),
      ...(next < all.length ? { nextCursor: String(next) } : {}),
    }
  }

  #call(id: Id, params: Json, credential: string | undefined): RequestStream | undefined {
    // Before the first list, only an address from the config can be used: one from the document was not reviewed.
    const api = this.#listed ?? (this.#api?.base.isFromDocument ? undefined : this.#api)
    const operation = api?.operations.get(String(params.name))
    if (api === undefined || operation === undefined || this.#pool === undefined) {
      const error = { code: RPC.invalidParams, message: `there is no tool ${JSON.stringify(params.name)}` }
      queueMicrotask(() => this.#reply(id, { error }))
      return undefined
    }
    const setting = { pool: this.#pool, maxBytes: this.#limits.messageBytes, unfinished: this.#unfinished }
    const call = new ToolCall({
      server: this.#name,
      target: this.#target,
      credentials: this.#credentials,
      base: api.base.url,
      setting,
      onResult: result => this.#reply(id, { result }),
      onFailure: failure => this.#handlers?.onLost(id, failure),
    })
    const args = isJsonObject(params.arguments) ? params.arguments : {}
    void call.start(operation, args, credential)
    return call
  }

  #reply(id: Id, answer: Json): void {
    if (!this.#isClosed) this.#handlers?.onMessage(writeJson({ jsonrpc: '2.0', id, ...answer }), id)
  }

  #watch({ files }: Api): void {
    this.#stopWatching()
    if (!this.#isClosed) this.#stopWatching = watchFiles(files, () => void this.#reload())
  }

  /** Reads the document again. If it cannot be used, the last one stays in force. */
  async #reload(): Promise<void> {
    try {
      const api = await loadApi(this.#target)
      // Other connections would be needed for another address, so the gateway connects again.
      if (api.base.url.href !== this.#api?.base.url.href) return this.#handlers?.onClosed(MOVED)
      this.#problem = undefined
      this.#api = api
      this.#watch(api)
      this.#handlers?.onMessage('{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}')
    } catch (error) {
      this.#problem = (error as Error).message
    }
  }
}

const MOVED = {
  kind: 'unavailable',
  detail: 'the document now gives another address for the API',
  notSent: false,
} as const

/** The beginning of a line about an operation without a tool. */
export const LEFT_OUT = 'left out '

/** Returns one line for each operation without a tool, and the number of those that are not shown. */
function describeLeftOut(leftOut: readonly LeftOut[]): readonly string[] {
  const lines = leftOut
    .slice(0, MOST_LINES)
    .map(({ operation, reason }) => `${LEFT_OUT}${operation}: ${reason}`)
  const rest = leftOut.length - lines.length
  return rest === 0 ? lines : [...lines, `${LEFT_OUT}${rest} more operations`]
}

/** How often the files are looked at. Events are not used, because network drives do not send them. */
const EVERY_MS = 500

/** Calls `onChange` when one of the files has changed since it was read. Returns a function that stops watching. */
function watchFiles(marks: ReadonlyMap<string, string>, onChange: () => void): () => void {
  const known = new Map(marks)
  const look = (): void => {
    let isChanged = false
    for (const [file, mark] of known) {
      const now = markOf(file) ?? mark
      isChanged ||= now !== mark
      known.set(file, now)
    }
    if (isChanged) onChange()
  }
  const timer = setInterval(look, EVERY_MS).unref()
  return () => clearInterval(timer)
}
