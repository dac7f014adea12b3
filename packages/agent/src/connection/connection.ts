import type { ToolDefinition } from '@hintgate/metadata'
import type { Transport } from '@modelcontextprotocol/client'
import type { ServerOptions } from '../agent-options.ts'
import { sendWithRetries } from '../call/retry.ts'
import type { AgentTool } from '../catalog/agent-tool.ts'
import { isGateway } from '../catalog/make-tool.ts'
import { ToolList, type WireTool } from '../catalog/tool-list.ts'
import { AgentError } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Settings } from '../read-options.ts'
import { followTask } from './follow-task.ts'
import { makeClient } from './make-client.ts'
import { openTransport } from './open-transport.ts'
import type { AnswerInput, RawClient } from './raw-client.ts'
import { letTasksPass, type Task, taskIn } from './task.ts'

const RECHECK_MS = 60_000
/** How many times in a row a list is read if its server keeps announcing changes. */
const MAX_TURNS = 2
const CONNECT_MS = 30_000

export interface Sending {
  readonly args: Json
  readonly meta: Json
  readonly timeoutMs: number
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: Json) => void) | undefined
  readonly answerInput: AnswerInput
}

interface Live {
  readonly client: RawClient
  readonly transport: Transport
}

/**
 * The connection to one server, or to one gateway with many servers. It is opened when needed, and opened again after
 * it was lost.
 */
export class Connection {
  readonly name: string
  readonly options: ServerOptions
  readonly #agent: Settings
  readonly #list: ToolList
  #live: Live | undefined
  #opening: Promise<RawClient> | undefined
  #listing: Promise<void> | undefined
  #listedAt = Number.NEGATIVE_INFINITY
  #isClosed = false

  constructor(name: string, options: ServerOptions, agent: Settings) {
    this.name = name
    this.options = options
    this.#agent = agent
    const onProblem = agent.onProblem ?? (() => {})
    const { profile = 'gateway', rules } = agent
    this.#list = new ToolList({ server: name, options, profile, rules, onProblem })
  }

  get isGateway(): boolean {
    return isGateway(this.options)
  }

  get era(): 'legacy' | 'modern' | undefined {
    return this.#live?.client.getProtocolEra()
  }

  get isUpToDate(): boolean {
    return this.#live !== undefined && !this.#isStale()
  }

  /** The tools in the list that was read last. */
  get tools(): Iterable<WireTool> {
    return this.#list.tools
  }

  find(id: string): WireTool | undefined {
    return this.#list.find(id)
  }

  accept(tool: AgentTool): void {
    this.#list.accept(tool)
  }

  /** Reads the list again if it might be out of date. */
  async refresh({ isForced = false } = {}): Promise<void> {
    let isDue = isForced
    // If a change was announced while the list was being read, the list might not include that change.
    for (let turn = 0; turn < MAX_TURNS && (isDue || this.#isStale()); turn++) {
      this.#listing ??= this.#fetch().finally(() => (this.#listing = undefined))
      await this.#listing
      isDue = false
    }
  }

  #isStale(): boolean {
    const age = performance.now() - this.#listedAt
    return this.#live === undefined || age > (this.#agent.recheckMs ?? RECHECK_MS)
  }

  async call({ wireName }: WireTool, sending: Sending): Promise<Json> {
    const { args, meta, timeoutMs, signal, onProgress, answerInput } = sending
    const client = await this.#connected()
    const params = { name: wireName, arguments: { ...args }, _meta: { ...meta } }
    const options = {
      timeout: timeoutMs,
      answerInput,
      ...(signal === undefined ? {} : { signal }),
      ...(onProgress === undefined ? {} : { onprogress: onProgress }),
    }
    const result: Json = { ...(await client.callTool(params, options)) }
    const { onTask } = this.#agent
    const task = taskIn(result)
    return task === undefined || onTask === undefined ? result : this.#follow(task, onTask, sending)
  }

  /** Each request about the task has the time limit of a call, but the task itself can take longer. */
  #follow(task: Task, onTask: (task: Task) => void, { answerInput, signal }: Sending): Promise<Json> {
    const timeout = this.#agent.timeoutMs
    return followTask(task, {
      ask: async (method, params) => (await this.#connected()).about(method, params, { timeout }),
      recover: () => this.drop(),
      onTask,
      answerInput,
      signal,
    })
  }

  /** Closes the connection. The next call connects again. */
  async drop(): Promise<void> {
    const live = this.#live
    this.#live = undefined
    await live?.client.close().catch(() => {})
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#opening?.catch(() => {})
    const transport = this.#live?.transport
    // With servers of older revisions, closing the connection alone would leave the session open.
    if (hasSession(transport)) await transport.terminateSession().catch(() => {})
    await this.drop()
  }

  async #fetch(): Promise<void> {
    const { retry, timeoutMs } = this.#agent
    const { result } = await sendWithRetries({
      retry,
      timeoutMs,
      signal: undefined,
      mayRepeat: () => true,
      recover: () => this.drop(),
      random: Math.random,
      send: timeout => this.#fetchOnce(timeout),
    })
    this.#list.take(result)
  }

  async #fetchOnce(timeout: number): Promise<readonly ToolDefinition[]> {
    const client = await this.#connected()
    // Set before the list is read, because any later change makes the list out of date.
    this.#listedAt = performance.now()
    try {
      return (await client.listTools(undefined, { cacheMode: 'refresh', timeout })).tools
    } catch (error) {
      this.#expire()
      throw error
    }
  }

  #connected(): Promise<RawClient> {
    if (this.#isClosed) return Promise.reject(new AgentError('closed', 'The agent is closed'))
    if (this.#live !== undefined) return Promise.resolve(this.#live.client)
    this.#opening ??= this.#open().finally(() => (this.#opening = undefined))
    return this.#opening
  }

  async #open(): Promise<RawClient> {
    const opened = openTransport(this.options)
    const transport = this.#agent.onTask === undefined ? opened : letTasksPass(opened)
    const client = makeClient(this, this.#agent, () => this.#expire())
    try {
      await client.connect(transport, { timeout: CONNECT_MS })
    } catch (cause) {
      await client.close().catch(() => {})
      const why = cause instanceof Error ? cause.message : String(cause)
      throw new AgentError('connect_failed', `Cannot connect to ${this.name}: ${why}`, {
        server: this.name,
        cause,
      })
    }
    const live = { client, transport }
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's client is not an EventTarget
    client.onclose = () => {
      if (this.#live === live) this.#live = undefined
    }
    this.#live = live
    // The new connection might have reached a different server, so the list must be read again.
    this.#listedAt = Number.NEGATIVE_INFINITY
    return client
  }

  #expire(): void {
    this.#listedAt = Number.NEGATIVE_INFINITY
  }
}

interface Terminating {
  terminateSession(): Promise<void>
}

function hasSession(transport: Transport | undefined): transport is Transport & Terminating {
  return transport?.sessionId !== undefined && 'terminateSession' in transport
}
