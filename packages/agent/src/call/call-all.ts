import { AgentError } from '../errors.ts'
import type { CallOptions, CallResult } from './call-runner.ts'
import { runLimited, takeTurns } from './run-in-order.ts'

export interface PlannedCall {
  readonly tool: string
  readonly args?: unknown
}

export interface CallAllOptions extends Omit<CallOptions, 'approved' | 'onProgress'> {
  /** How many reads run at the same time. */
  readonly limit?: number
  /** `stop`: after a call that is not a read has failed, no other such call is made. */
  readonly onFailure?: 'stop' | 'continue'
}

/** How one of many calls ended, at the place where it stood. */
export type Settled =
  | { readonly kind: 'answered'; readonly tool: string; readonly result: CallResult }
  | { readonly kind: 'failed'; readonly tool: string; readonly error: AgentError }

interface Means {
  isRead(id: string): Promise<boolean>
  run(id: string, args: unknown, options: CallOptions): Promise<CallResult>
}

const LIMIT = 8

/** Many calls, each in its turn. */
export class CallAll {
  readonly #means: Means

  constructor(means: Means) {
    this.#means = means
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
        const ending = isLeftOut ? leaveOut(call) : await this.#settle(call, callOptions)
        settled.set(index, ending)
        if (!isParallel && hasGoneWrong(ending)) hasFailed = true
      })
      await runLimited(jobs, Math.max(1, limit))
    }
    return calls.flatMap((_call, index) => settled.get(index) ?? [])
  }

  /** What is not known is not taken for harmless. */
  async #isRead(id: string): Promise<boolean> {
    try {
      return await this.#means.isRead(id)
    } catch {
      return false
    }
  }

  async #settle({ tool, args }: PlannedCall, options: CallOptions): Promise<Settled> {
    try {
      return { kind: 'answered', tool, result: await this.#means.run(tool, args, options) }
    } catch (error) {
      if (error instanceof AgentError) return { kind: 'failed', tool, error }
      throw error
    }
  }
}

function leaveOut({ tool }: PlannedCall): Settled {
  const text = `${tool} was not called: a call before it failed`
  return { kind: 'failed', tool, error: new AgentError('not_run', text, { tool }) }
}

function hasGoneWrong(ending: Settled): boolean {
  return ending.kind === 'failed' || ending.result.isError === true
}
