import type { RiskView } from '@hintgate/metadata'
import type { AgentOptions } from './agent-options.ts'
import { CallAll, type CallAllOptions, type PlannedCall, type Settled } from './call/call-all.ts'
import { type CallOptions, type CallResult, CallRunner } from './call/call-runner.ts'
import type { Judgement } from './call/judge-call.ts'
import type { AgentTool } from './catalog/agent-tool.ts'
import { Connections } from './connection/connections.ts'
import { readOptions, type Settings } from './read-options.ts'
import { Session } from './session.ts'

export interface AutoRunnableOptions {
  /** Includes tools that change something. */
  readonly writes?: boolean
}

/** The tools of any number of servers, with their effective hints, and a single way to call them. */
export class AgentClient {
  readonly #settings: Settings
  readonly #connections: Connections
  readonly #session: Session
  readonly #runner: CallRunner

  constructor(options: AgentOptions) {
    this.#settings = readOptions(options)
    this.#connections = new Connections(this.#settings)
    this.#session = new Session(options.session, options.task)
    this.#runner = new CallRunner({
      settings: this.#settings,
      session: this.#session,
      isBehindGateway: this.#connections.isOneGateway,
      find: id => this.#connections.find(id),
    })
  }

  /**
   * Returns all tools of all servers with their effective hints. With `isForced`, the tools are listed again even if no
   * change was announced. If a server cannot be reached, `onProblem` is called, and the tools from the server's last
   * list are returned.
   */
  async tools(options: { readonly isForced?: boolean } = {}): Promise<readonly AgentTool[]> {
    const { onProblem } = this.#settings
    for (const problem of await this.#connections.refresh(options)) onProblem?.(problem)
    return this.#connections.listed().map(({ tool }) => tool)
  }

  async tool(id: string): Promise<AgentTool> {
    return (await this.#connections.find(id)).tool
  }

  /**
   * Returns the tools that a loop can use when no person is available: they only read, and calls to them need no
   * approval in the current session. `writes` adds tools that change something but are vouched for as destroying
   * nothing.
   */
  async autoRunnable({ writes = false }: AutoRunnableOptions = {}): Promise<readonly AgentTool[]> {
    const tools = await this.tools()
    const judged = await Promise.all(
      tools.map(async tool => ({ tool, verdict: (await this.judge(tool.id)).verdict })),
    )
    return judged
      .filter(
        ({ tool, verdict }) =>
          verdict === 'allow' && (writes ? !tool.effective.destructive.value : isRead(tool)),
      )
      .map(({ tool }) => tool)
  }

  /** Judges a call without sending it. If `args` is omitted, the judgement is about any call to the tool. */
  judge(id: string, args?: unknown): Promise<Judgement> {
    return this.#runner.judge(id, args)
  }

  /**
   * Calls a tool, after asking a person if the rules require it. A call is retried only if it never arrived or if a
   * repeat has no further effect. Returns the tool's answer, even if that answer is an error; in every other case,
   * throws an `AgentError`.
   */
  call(id: string, args: unknown = {}, options: CallOptions = {}): Promise<CallResult> {
    return this.#runner.run(id, args, options)
  }

  /** Runs many calls. Consecutive reads run in parallel; every other call runs alone, in the given order. */
  async callAll(calls: readonly PlannedCall[], options: CallAllOptions = {}): Promise<readonly Settled[]> {
    const all = new CallAll({
      isRead: async id => isRead((await this.#connections.find(id)).tool),
      run: (id, args, more) => this.call(id, args, more),
    })
    return all.run(calls, options)
  }

  /** Accepts a tool that was added or changed while the session was running. */
  async accept(id: string): Promise<void> {
    const { connection, tool } = await this.#connections.find(id)
    connection.accept(tool)
  }

  /** The risk factors that this session has touched: private data, untrusted content, external communication. */
  get risk(): RiskView {
    return this.#session.risk
  }

  /** Starts a new conversation, which resets the session's risk. */
  resetSession(): void {
    this.#session.reset()
  }

  async close(): Promise<void> {
    await this.#connections.close()
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close()
  }

  /** Connects to all servers. Throws the first error. */
  async connect(): Promise<this> {
    const [problem] = await this.#connections.refresh()
    if (problem === undefined) return this
    await this.close()
    throw problem
  }
}

function isRead({ variant }: AgentTool): boolean {
  return variant === 'call_tool_read'
}

/**
 * Connects to every server in the options, and lists each server's tools. Throws if a server cannot be reached.
 *
 * @example
 * import { connectAgent } from '@hintgate/agent'
 * const agent = await connectAgent({
 *   servers: { notes: { command: 'node', args: ['examples/notes-server.mjs'], trust: 'trusted' } },
 *   confirm: ({ action }) => action === 'Delete note: 2',
 * })
 * await agent.call('notes:delete_note', { id: '2' })
 * await agent.close()
 */
export function connectAgent(options: AgentOptions): Promise<AgentClient> {
  return new AgentClient(options).connect()
}
