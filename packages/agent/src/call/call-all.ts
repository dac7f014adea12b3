import { AgentError } from '../errors.ts'
import type { CallOptions, CallResult } from './call-runner.ts'
import { runLimited, takeTurns } from './run-in-order.ts'

export interface PlannedCall {
  readonly tool: string
  readonly args?: unknown
}

export interface CallAllOptions extends Omit<CallOptions, 'approved' | 'onProgress'> {
  /** Maximum number of reads that run in parallel. */
  readonly limit?: number
  /** With `stop`, no further writes are sent after a write has failed. */
  readonly onFailure?: 'stop' | 'continue'
}

/** The outcome of one of several calls. The results are in the order of the input. */
export type Settled =
  | { readonly kind: 'answered'; readonly tool: string; readonly result: CallResult }
  | { readonly kind: 'failed'; readonly tool: string; readonly error: AgentError }

interface CallDeps {
  isRead(id: string): Promise<boolean>
  run(id: string, args: unknown, options: CallOptions): Promise<CallResult>
}

const LIMIT = 8

/** Runs many calls in groups. The calls in a group run in parallel. */
export class CallAll {
  readonly #deps: CallDeps

  constructor(deps: CallDeps) {
    this.#deps = deps
  }

  async run(calls: readonly PlannedCall[], options: CallAllOptions): Promise<readonly Settled[]> {
    const { limit = LIMIT, onFailure = 'stop', ...callOptions } = options
    const reads = await Promise.all(calls.map(({ tool }) => this.#isRead(tool)))
    const settled = new Map<number, Settled>()
    let hasFailed = false
    for (const { isParallel, indices } of takeTurns(reads)) {
      const jobs = indices.map(index => async () => {
        const call = calls[index]
        if (call === undefined) return
        const isLeftOut = hasFailed && !isParallel && onFailure === 'stop'
        const ending = isLeftOut ? skip(call) : await this.#settle(call, callOptions)
        settled.set(index, ending)
        if (!isParallel && isFailure(ending)) hasFailed = true
      })
      await runLimited(jobs, Math.max(1, limit))
    }
    return calls.flatMap((_call, index) => settled.get(index) ?? [])
  }

  /** Returns true if a call only reads. An unknown tool does not count as a read. */
  async #isRead(id: string): Promise<boolean> {
    try {
      return await this.#deps.isRead(id)
    } catch {
      return false
    }
  }

  async #settle({ tool, args }: PlannedCall, options: CallOptions): Promise<Settled> {
    try {
      return { kind: 'answered', tool, result: await this.#deps.run(tool, args, options) }
    } catch (error) {
      if (error instanceof AgentError) return { kind: 'failed', tool, error }
      throw error
    }
  }
}

function skip({ tool }: PlannedCall): Settled {
  const text = `${tool} was not called, because an earlier call failed`
  return { kind: 'failed', tool, error: new AgentError('not_run', text, { tool }) }
}

function isFailure(ending: Settled): boolean {
  return ending.kind === 'failed' || ending.result.isError === true
}
