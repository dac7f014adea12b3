import { severityOf } from '@hintgate/metadata'
import { AgentError } from '../errors.ts'
import type { Json } from '../json.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { Judgement } from './judge-call.ts'

interface TrailOptions {
  readonly request: string
  readonly tool: string
  readonly hook: ((entry: AuditEntry) => void | Promise<void>) | undefined
}

type Outcome = Pick<Extract<AuditEntry, { kind: 'outcome' }>, 'outcome' | 'code' | 'mayHaveRun'>

/** Collects what is known about a call, and passes it to the audit hook. */
export class Trail {
  readonly request: string
  isConfirmed = false
  attempts = 0
  readonly #options: TrailOptions
  readonly #startedAt = performance.now()
  #args: Json = {}
  #judgement: Judgement | undefined

  constructor(options: TrailOptions) {
    this.#options = options
    this.request = options.request
  }

  setArguments(args: Json): Json {
    this.#args = args
    return args
  }

  setJudgement(judgement: Judgement): void {
    this.#judgement = judgement
  }

  /** Records that a call is about to be sent. If recording fails, the call must not be sent. */
  async recordIntent(): Promise<void> {
    try {
      await this.#options.hook?.({ ...this.#about(), kind: 'intent' })
    } catch (cause) {
      throw new AgentError('audit_failed', `The audit hook failed, so ${this.#options.tool} was not called`, {
        cause,
      })
    }
  }

  async recordAnswer(result: Json, onProblem: OnProblem): Promise<void> {
    const outcome = result.isError === true ? 'tool_error' : 'answered'
    await this.#record({ outcome, mayHaveRun: true }, onProblem)
  }

  async recordError({ code, mayHaveRun, reasons }: AgentError, onProblem: OnProblem): Promise<void> {
    // A gateway refuses only after it has received the request. Its refusals contain reasons.
    const isRefused = this.attempts === 0 || (reasons.length > 0 && !mayHaveRun)
    const outcome = isRefused ? 'refused' : 'failed'
    await this.#record({ outcome, code, mayHaveRun }, onProblem)
  }

  async #record(outcome: Outcome, onProblem: OnProblem): Promise<void> {
    const durationMs = performance.now() - this.#startedAt
    const { attempts, isConfirmed: confirmed } = this
    try {
      const entry = { ...this.#about(), ...outcome, attempts, confirmed, durationMs }
      await this.#options.hook?.({ ...entry, kind: 'outcome' })
    } catch (cause) {
      // The call is over. Its answer must not be lost because recording the outcome failed.
      const text = `The audit hook failed to record the outcome of ${this.#options.tool}`
      onProblem?.(new AgentError('audit_failed', text, { cause }))
    }
  }

  #about() {
    const { reasons = [], variant, fingerprint } = this.#judgement ?? {}
    const { request, tool } = this.#options
    // A call to an unknown tool is never sent, so its severity is the lowest.
    const severity = variant === undefined ? 'info' : severityOf(variant)
    return { request, at: Date.now(), tool, variant, severity, fingerprint, args: this.#args, reasons }
  }
}

type OnProblem = ((problem: AgentError) => void) | undefined
