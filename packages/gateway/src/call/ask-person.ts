import type { Approvals, NewApproval } from '../approvals/approvals.ts'
import { describeRequest } from '../approvals/describe-request.ts'
import { canShowForm, confirmationForm, FORM_KEY, type FormAnswer, readForm } from '../approvals/form.ts'
import { otherParams, withoutUnshown } from '../approvals/other-params.ts'
import type { SealedState } from '../approvals/seal.ts'
import { type Bindings, continued, readShown } from '../approvals/shown-request.ts'
import type { Exchange } from '../exchange/exchange.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { spellNumbers } from '../protocol/parse-json.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { CallDeps } from './call-deps.ts'
import { askPreview, type Run } from './confirmation/preview.ts'
import {
  refuseDenied,
  refuseExpired,
  refuseFlood,
  refuseTooLongToShow,
  refuseWaiting,
} from './confirmation/refuse-confirmation.ts'
import { type Asked, bindCall } from './judge-again.ts'
import { mayBecomeTask } from './keep-task.ts'
import type { Recheck } from './recheck.ts'
import { isStateOf, LOST, paramsFor, stateOwnerOf } from './sealed-state.ts'

/** Asks a person about one call, and waits for the answer. */
export class Confirmation {
  readonly #classified: Classified
  readonly #decision: Asked
  readonly #deps: CallDeps
  readonly #run: Run
  readonly #recheck: Recheck
  readonly #bindings: Bindings

  constructor(classified: Classified, decision: Asked, { deps, run, recheck }: ConfirmationDeps) {
    this.#classified = classified
    this.#decision = decision
    this.#deps = deps
    this.#run = run
    this.#recheck = recheck
    this.#bindings = bindCall(classified, decision, deps.rules().version)
  }

  async settle(state: SealedState | undefined): Promise<Confirmed> {
    if (state !== undefined) return this.#resume(state)
    const { approvals } = this.#deps
    const standing = await approvals.findStanding(this.#decision.remember.map(kind => this.#bindings[kind]))
    if (standing !== undefined) return this.#proceed(standing)
    const known = await approvals.recall(this.#bindings.once)
    if (known?.state === 'denied') return this.#end(refuseDenied(this.#classified, known), known)
    if (known?.state === 'approved' && (await approvals.spend(known.id, this.#bindings.once)))
      return this.#proceed(known)
    return this.#ask()
  }

  /** Continues a question whose client repeats the call with the gateway's sealed state, and perhaps with an answer. */
  async #resume(state: SealedState): Promise<Confirmed> {
    const { approvals } = this.#deps
    const found = await approvals.find(state.approval)
    if (found === undefined) return this.#end(refuseExpired(this.#classified, 'the question is too old'))
    if (state.inner !== undefined) return this.#continue(found, state)
    if (found.binding !== this.#bindings.once)
      return this.#end(refuseExpired(this.#classified, 'the call, the tool or the rules have changed'))
    const answered = found.state === 'pending' ? await this.#takeAnswer(found) : found
    return this.#accept(answered)
  }

  /** Continues an approved call during which the server asked a question. The same approval covers the answer. */
  async #continue(found: StoredApproval, state: SealedState): Promise<Confirmed> {
    const binding = continued(this.#bindings.once)
    const isOfCall = found.binding === binding && isStateOf(this.#classified, state)
    const isUsable = isOfCall && (await this.#deps.approvals.isInForce(found))
    const isSpent = isUsable && (this.#hasSpent(found) || (await this.#spend(found, binding)))
    return isSpent
      ? this.#proceed(found, state)
      : this.#end(
          refuseExpired(
            this.#classified,
            'this request state has already been used, or the call, the tool or the rules have changed',
          ),
        )
  }

  /** Takes the answer of the client's user. It counts unless the rules require another person to decide. */
  async #takeAnswer(found: StoredApproval): Promise<StoredApproval> {
    const responses = this.#classified.call.params.inputResponses
    const answer = readForm(isJsonObject(responses) ? responses[FORM_KEY] : undefined)
    const isForPerson = found.channel === 'person' || this.#decision.channel === 'person'
    if (answer === undefined || isForPerson) return found
    return this.#record(found, { ...answer, via: 'input_required' })
  }

  async #record(
    found: StoredApproval,
    answer: FormAnswer & { readonly via: string },
  ): Promise<StoredApproval> {
    const { approvals } = this.#deps
    const { principal } = this.#classified.call.exchange.caller
    const isOffered =
      answer.remember !== undefined && readShown(found.shown).remember.includes(answer.remember)
    try {
      return await approvals.decide(found.id, {
        ...answer,
        remember: isOffered ? answer.remember : undefined,
        by: `client of ${principal.id}`,
      })
    } catch {
      // Another person answered first, and that answer counts.
      return (await approvals.find(found.id)) ?? found
    }
  }

  async #accept(found: StoredApproval): Promise<Confirmed> {
    switch (found.state) {
      case 'approved':
        return (await this.#spend(found, this.#bindings.once))
          ? this.#proceed(found)
          : this.#end(
              refuseExpired(this.#classified, 'the approval has already been used, or was given too late'),
            )
      case 'denied':
        return this.#end(refuseDenied(this.#classified, found), found)
      case 'pending':
        return this.#askVia(found)
      default:
        return this.#hasSpent(found)
          ? this.#proceed(found)
          : this.#end(refuseExpired(this.#classified, 'the approval was already used'))
    }
  }

  #spend({ id }: StoredApproval, binding: string): Promise<boolean> {
    return this.#deps.approvals.spend(id, binding, this.#classified.call.task?.id)
  }

  /** True if the same task used the approval and was stopped before it sent the call. */
  #hasSpent({ state, spentBy }: StoredApproval): boolean {
    const { task } = this.#classified.call
    return task !== undefined && state === 'spent' && spentBy === task.id
  }

  async #ask(): Promise<Confirmed> {
    const { approvals } = this.#deps
    await approvals.takeTurn()
    const unseen = refuseTooLongToShow(this.#classified)
    if (unseen !== undefined) return this.#end(unseen)
    const question = {
      principal: this.#classified.call.exchange.caller.principal.id,
      binding: this.#bindings.once,
    }
    const asked = await approvals.ask(question, () => this.#describe())
    if (asked === undefined) return this.#end(refuseFlood(this.#classified))
    this.#deps.onAsked?.(asked)
    return this.#askVia(asked)
  }

  async #describe(): Promise<NewApproval> {
    const { sessions, confirming } = this.#deps
    const { call } = this.#classified
    const { session, principal } = call.exchange.caller
    const preview = await askPreview(this.#classified, this.#run)
    const now = Date.now()
    await sessions.ready({ session, principal: principal.id }, now)
    return describeRequest(this.#classified, this.#decision, {
      others: otherParams(call.params, spellNumbers),
      bindings: this.#bindings,
      riskFactors: sessions.riskFactorsOf(session, now),
      preview,
      validMs: confirming().validMs,
    })
  }

  /**
   * Asks through the best channel: a task, in which both the client's user and other people can answer; the client's
   * user; otherwise a person at the console.
   */
  async #askVia(asked: StoredApproval): Promise<Confirmed> {
    const { call } = this.#classified
    // A task asked when it was made, and asks only once.
    if (call.task !== undefined)
      return this.#end(refuseExpired(this.#classified, 'no person answered in time'))
    if (mayBecomeTask(call)) return this.#waitAsTask(asked)
    const { exchange } = call
    const { caller } = exchange
    const mayAskClient =
      asked.channel === 'any' &&
      this.#decision.channel === 'any' &&
      exchange.isPart !== true &&
      canShowForm(caller.envelope.capabilities)
    // The approval is named, so that the log shows which question this call belongs to.
    if (mayAskClient && caller.era === 'modern') return this.#end(this.#inputRequired(asked), asked)
    const { waitMs } = this.#deps.confirming()
    if (!mayAskClient && waitMs === 0)
      return this.#end(refuseWaiting(this.#classified, asked, this.#decision))
    const waited = await waitForAnswer(asked, exchange, {
      approvals: this.#deps.approvals,
      form: mayAskClient ? confirmationForm(asked) : undefined,
      waitMs: mayAskClient ? asked.expiresAt - Date.now() : waitMs,
      record: answer => this.#record(asked, { ...answer, via: 'elicitation' }),
    })
    // One answer can release hundreds of calls, so each call continues in its own turn of the event loop.
    await this.#deps.approvals.takeTurn()
    return this.#endWait(waited, asked)
  }

  async #waitAsTask(asked: StoredApproval): Promise<Confirmed> {
    const outcome = await this.#deps.tasks.wait(this.#classified, asked)
    return this.#end(outcome ?? refuseFlood(this.#classified), asked)
  }

  async #endWait(waited: WaitResult, asked: StoredApproval): Promise<Confirmed> {
    if (waited.kind === 'cancelled') return this.#end({ kind: 'cancelled' })
    if (waited.kind === 'unanswered') return this.#end(refuseWaiting(this.#classified, asked, this.#decision))
    if (waited.approval.state === 'pending')
      return this.#end(refuseWaiting(this.#classified, asked, this.#decision))
    const refusal = await this.#recheck.check()
    return refusal === undefined ? this.#accept(waited.approval) : this.#end({ kind: 'refused', refusal })
  }

  #inputRequired(asked: StoredApproval): Outcome {
    const result: Json = {
      resultType: 'input_required',
      inputRequests: { [FORM_KEY]: { method: 'elicitation/create', params: confirmationForm(asked) } },
      requestState: this.#deps.sealer.seal({ approval: asked.id, ...stateOwnerOf(this.#classified) }),
    }
    return { kind: 'answered', result }
  }

  #proceed(approval: StoredApproval, state?: SealedState): Confirmed {
    return {
      kind: 'proceed',
      params: withoutUnshown(paramsFor(this.#classified.call.params, state)),
      approval,
      once: this.#bindings.once,
    }
  }

  #end(outcome: Outcome, approval?: StoredApproval): Confirmed {
    return { kind: 'end', outcome, ...(approval === undefined ? {} : { approval }) }
  }
}

export type WaitResult =
  | { readonly kind: 'decided'; readonly approval: StoredApproval }
  | { readonly kind: 'unanswered' }
  | { readonly kind: 'cancelled' }

interface Waiting {
  readonly approvals: Approvals
  /** The question for the client's user. Undefined if only other people can answer. */
  readonly form: Json | undefined
  readonly waitMs: number
  readonly record: (answer: FormAnswer) => Promise<StoredApproval>
}

/** Interval of progress notifications, shorter than the timeouts of all known clients. */
const PROGRESS_MS = 5000

/** Waits for the client's user or another person who is allowed to decide. The first answer counts. */
async function waitForAnswer(
  asked: StoredApproval,
  exchange: Exchange,
  { approvals, form, waitMs, record }: Waiting,
): Promise<WaitResult> {
  const others = approvals.waitFor(asked.id)
  const stopProgress = keepAlive(exchange)
  let timer: NodeJS.Timeout | undefined
  const ways: Promise<WaitResult>[] = [
    others.decided.then(found =>
      found === undefined ? { kind: 'unanswered' } : { kind: 'decided', approval: found },
    ),
    new Promise(resolve => {
      timer = setTimeout(() => resolve({ kind: 'unanswered' }), waitMs).unref()
    }),
    new Promise(resolve => exchange.onCancel(() => resolve({ kind: 'cancelled' }))),
  ]
  if (form !== undefined) ways.push(askClient(exchange, form, record))
  try {
    return await Promise.race(ways)
  } finally {
    others.stop()
    stopProgress()
    clearTimeout(timer)
  }
}

async function askClient(exchange: Exchange, form: Json, record: Waiting['record']): Promise<WaitResult> {
  const asked = await exchange.ask({ method: 'elicitation/create', params: form })
  const answer = 'result' in asked ? readForm(asked.result) : undefined
  return answer === undefined ? { kind: 'unanswered' } : { kind: 'decided', approval: await record(answer) }
}

/**
 * The step of the gateway's progress notifications. It is tiny, because progress must grow, and the server's own
 * progress comes later.
 */
const STEP = 1e-6

function keepAlive(exchange: Exchange): () => void {
  const meta = exchange.params?._meta
  const progressToken = isJsonObject(meta) ? meta.progressToken : undefined
  if (progressToken === undefined) return () => {}
  let steps = 0
  const tell = (): void => {
    const params = { progressToken, progress: ++steps * STEP, message: 'waiting for a person to decide' }
    exchange.notify({ jsonrpc: '2.0', method: 'notifications/progress', params })
  }
  tell()
  const timer = setInterval(tell, PROGRESS_MS).unref()
  return () => clearInterval(timer)
}

/** The result of a confirmation. `params` go to the server, without anything that was meant for the gateway. */
export type Confirmed =
  | {
      readonly kind: 'proceed'
      readonly params: Json
      readonly approval?: StoredApproval
      /** The binding of this very call, with which an approval covers the answer to a server's question. */
      readonly once?: string
    }
  /** `approval` is the approval whose answer ends the call. */
  | { readonly kind: 'end'; readonly outcome: Outcome; readonly approval?: StoredApproval }

export interface ConfirmationDeps {
  readonly deps: CallDeps
  readonly run: Run
  /** Checks whether anything changed while a person decided. */
  readonly recheck: Recheck
}

/** Continues a call that its client repeats with a sealed state. */
export function resume(
  classified: Classified,
  decision: Exclude<Decision, { verdict: 'deny' }>,
  deps: ConfirmationDeps,
): Confirmed | Promise<Confirmed> {
  const { params } = classified.call
  const state = deps.deps.sealer.open(String(params.requestState))
  if (state === undefined) return { kind: 'end', outcome: LOST }
  if (decision.verdict === 'confirm') return new Confirmation(classified, decision, deps).settle(state)
  return isStateOf(classified, state)
    ? { kind: 'proceed', params: paramsFor(params, state) }
    : { kind: 'end', outcome: LOST }
}
