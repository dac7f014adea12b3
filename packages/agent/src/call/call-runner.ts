import { randomUUID } from 'node:crypto'
import { kindOfVariant, META_SESSION, META_TASK, mayRetry, type Reason } from '@hintgate/metadata'
import type { WireTool } from '../catalog/tool-list.ts'
import type { Found } from '../connection/connections.ts'
import { AgentError } from '../errors.ts'
import type { Json } from '../json.ts'
import type { Settings } from '../read-options.ts'
import type { Session } from '../session.ts'
import { inputAnswerer } from './answer-input.ts'
import { throwIfCancelled, unlessCancelled } from './cancellation.ts'
import { checkArguments } from './check-arguments.ts'
import { covers, type Judgement, judgeCall, ownReasons } from './judge-call.ts'
import { type Question, questionOf, readAnswer } from './question.ts'
import { readArguments } from './read-arguments.ts'
import { readRefusal } from './read-refusal.ts'
import { sendWithRetries } from './retry.ts'
import { Trail } from './trail.ts'

/** Options of one call. */
export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  readonly onProgress?: (progress: Json) => void
  /** A judgement from `judge()` that a person approved elsewhere. It covers only the call that it is about. */
  readonly approved?: Judgement
}

/** The tool's result as the server sent it. `isError` means that the tool reported an error. */
export interface CallResult extends Json {
  readonly isError?: boolean
  readonly content?: readonly Json[]
  readonly structuredContent?: unknown
}

export interface Surroundings {
  readonly settings: Settings
  readonly session: Session
  /** True if every call of this session passes through one gateway. */
  readonly isBehindGateway: boolean
  find(id: string): Promise<Found>
}

/**
 * How many times a person is asked about the same call. Asking again is needed if the tool changes before the answer.
 */
const MAX_QUESTIONS = 3

/**
 * Runs one call from the tool's name to its answer: resolve → judge → confirm → record intent → send → record outcome.
 */
export class CallRunner {
  readonly #around: Surroundings

  constructor(around: Surroundings) {
    this.#around = around
  }

  async judge(id: string, given: unknown): Promise<Judgement> {
    const found = await this.#around.find(id)
    const args = readArguments(id, given)
    const judgement = this.#judge(found, args)
    const problem = given === undefined ? undefined : checkArguments(found.tool, args)
    return problem === undefined ? judgement : { ...judgement, verdict: 'deny', reasons: [problem] }
  }

  async run(id: string, given: unknown, options: CallOptions = {}): Promise<CallResult> {
    const { settings } = this.#around
    const trail = new Trail({ request: randomUUID(), tool: id, hook: settings.audit })
    try {
      // The arguments are copied, so that what is sent is exactly what a person approved.
      const args = trail.setArguments(readArguments(id, given))
      const { found, judgement } = await this.#settle(id, { args, options, trail })
      if (kindOfVariant(found.tool.variant) !== 'read') await trail.recordIntent()
      const result = await this.#send(found, judgement, { options, trail })
      await trail.recordAnswer(result, settings.onProblem)
      return result
    } catch (error) {
      const known = toAgentError(error, id)
      await trail.recordError(known, settings.onProblem)
      throw known
    }
  }

  #judge({ tool }: WireTool, args: Json): Judgement {
    const { settings, session, isBehindGateway } = this.#around
    const { rules } = settings
    return judgeCall({
      tool,
      args,
      riskFactors: session.riskFactors,
      rules,
      isRiskJudgedElsewhere: isBehindGateway,
    })
  }

  /**
   * Judges the call and asks a person if needed, until it is settled that the tool's current version can be called with
   * these arguments.
   */
  async #settle(
    id: string,
    { args, options, trail }: { args: Json; options: CallOptions; trail: Trail },
  ): Promise<{ found: Found; judgement: Judgement }> {
    const { session } = this.#around
    let approved = options.approved
    for (let asked = 0; ; asked++) {
      throwIfCancelled(options.signal)
      const found = await this.#around.find(id)
      const judgement = this.#judge(found, args)
      trail.setJudgement(judgement)
      // A person is not asked about a call that the server would reject anyway.
      const problem = checkArguments(found.tool, args)
      if (problem !== undefined)
        throw new AgentError('invalid_arguments', `The arguments of ${id} are invalid: ${problem.text}`, {
          tool: id,
          reasons: [problem],
        })
      if (judgement.verdict === 'deny')
        throw new AgentError('trifecta', `This session's risk forbids this call to ${id}`, {
          reasons: judgement.reasons,
        })
      const reasons = ownReasons(judgement)
      const isCovered = covers(approved, judgement)
      if (isCovered) trail.isConfirmed = true
      if (reasons.length === 0 || isCovered) {
        if (found.tool.change !== undefined) found.connection.accept(found.tool)
        // No `await` may come between the judgement and this line, because the next judgement must take this call into
        // account.
        session.note(found.tool.effective, { tool: id, request: trail.request, at: Date.now() })
        return { found, judgement }
      }
      if (asked >= MAX_QUESTIONS)
        throw new AgentError('tool_changed', `${id} changed again each time a person was asked about it`, {
          reasons,
        })
      await this.#ask(found, { args, reasons, signal: options.signal })
      // The approval covers this judgement. If the tool has changed in the meantime, the call is judged again.
      approved = judgement
    }
  }

  async #ask(
    found: Found,
    { args, reasons, signal }: { args: Json; reasons: readonly Reason[]; signal: AbortSignal | undefined },
  ): Promise<void> {
    const { confirm } = this.#around.settings
    const { id, change } = found.tool
    if (confirm === undefined) {
      const code = change === undefined ? 'confirmation_required' : 'tool_changed'
      throw new AgentError(code, `${id} needs approval: ${textOf(reasons)}`, { tool: id, reasons })
    }
    const question: Question = { ...questionOf(found.tool, { args, reasons, signal }), asker: 'agent' }
    const { isYes, note } = readAnswer(await unlessCancelled(confirm(question), signal))
    if (isYes) return
    const said = note === undefined ? '' : `: ${note}`
    throw new AgentError('confirmation_denied', `A person denied this call to ${id}${said}`, {
      tool: id,
      reasons,
    })
  }

  async #send(
    found: Found,
    judgement: Judgement,
    { options, trail }: { options: CallOptions; trail: Trail },
  ): Promise<CallResult> {
    const { settings, session } = this.#around
    const { signal, onProgress } = options
    const { tool, connection } = found
    const { args } = judgement
    let wasAsked = false
    const answerInput = inputAnswerer(settings, {
      wire: found,
      judgement,
      isApproved: trail.isConfirmed,
      question: questionOf(found.tool, { args, reasons: judgement.reasons, signal }),
      onAsked: () => {
        wasAsked = true
      },
      onConfirmed: () => {
        trail.isConfirmed = true
      },
    })
    const { result } = await sendWithRetries<CallResult>({
      retry: settings.retry,
      timeoutMs: options.timeoutMs ?? settings.timeoutMs,
      signal,
      mayRepeat: neverArrived => !wasAsked && (neverArrived || mayRetry(tool.effective)),
      recover: () => connection.drop(),
      random: Math.random,
      send: async (timeoutMs, attempt) => {
        trail.attempts = attempt
        if (attempt > 1) await this.#checkUnchanged(found)
        const meta = {
          ...sessionMeta(session),
          ...taskMeta(found, session),
          ...askableMeta(found, trail.isConfirmed),
        }
        return connection.call(found, { args, meta, timeoutMs, signal, onProgress, answerInput })
      },
    })
    const refusal = connection.isGateway ? readRefusal(tool.id, result) : undefined
    if (refusal !== undefined) throw refusal
    return result
  }

  /** Throws if the tool has changed. After a lost connection, a different server may be answering. */
  async #checkUnchanged({ tool }: Found): Promise<void> {
    const now = await this.#around.find(tool.id)
    if (now.tool.fingerprint === tool.fingerprint) return
    throw new AgentError('tool_changed', `${tool.id} changed while the connection was lost`)
  }
}

function sessionMeta({ name }: Session): Json {
  return name === undefined ? {} : { [META_SESSION]: name }
}

/** Returns the user's request in the form for `_meta`. It is sent only to gateways. */
function taskMeta({ connection }: Found, { task }: Session): Json {
  return task === undefined || !connection.isGateway ? {} : { [META_TASK]: { text: task } }
}

/**
 * Declares to a gateway that its questions can be answered. For a call that is already approved, no callback is needed
 * to answer them.
 */
function askableMeta({ connection }: Found, isConfirmed: boolean): Json {
  const isNeeded = connection.isGateway && connection.era === 'modern' && isConfirmed
  return isNeeded ? { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } } : {}
}

function textOf(reasons: readonly Reason[]): string {
  return reasons.map(({ text }) => text.replace(/\.$/, '')).join('; ')
}

function toAgentError(error: unknown, tool: string): AgentError {
  if (error instanceof AgentError) return error
  const message = error instanceof Error ? error.message : String(error)
  return new AgentError('confirmation_required', `${tool} was not called: ${message}`, { tool, cause: error })
}
