import type { NewApproval } from '../approvals/approvals.ts'
import { describeRequest } from '../approvals/describe-request.ts'
import { canShowForm, confirmationForm, FORM_KEY, readForm } from '../approvals/form.ts'
import { otherParams, withoutUnseen } from '../approvals/other-params.ts'
import { type CarriedState, SEALED_PREFIX } from '../approvals/seal.ts'
import { type Bindings, continued, readShown } from '../approvals/shown-request.ts'
import type { Classified } from '../exchange/classified.ts'
import type { Outcome } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { isJsonObject, type Json, RPC } from '../protocol/messages.ts'
import { spellNumbers } from '../protocol/parse-json.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { type Asked, bindCall } from './bind-call.ts'
import type { CallDeps } from './call-deps.ts'
import type { LastLook } from './last-look.ts'
import { askPreview, type Run } from './preview.ts'
import { refuseDenied, refuseFlood, refuseOver, refuseWaiting } from './refuse-confirmation.ts'
import { refuseUnseen } from './refuse-unseen.ts'
import { type Waited, waitForAnswer } from './wait-for-answer.ts'

/** `params` are what the server is to get, without anything that was meant for us. */
export type Confirmed =
  | { readonly kind: 'go'; readonly params: Json; readonly approval?: StoredApproval }
  | { readonly kind: 'end'; readonly outcome: Outcome }

/**
 * Asks a person where the verdict says so. An approval is a capability: for this caller, this tool as it is now, these
 * arguments and these rules, for a short time, once. Whoever comes back is judged anew before it is looked at.
 */
export function confirm(
  classified: Classified,
  decision: Exclude<Decision, { verdict: 'deny' }>,
  { deps, run, lastLook }: Means,
): Confirmed | Promise<Confirmed> {
  const { params } = classified.call
  const isOurs = typeof params.requestState === 'string' && params.requestState.startsWith(SEALED_PREFIX)
  if (!isOurs && decision.verdict === 'allow') return { kind: 'go', params }
  const state = isOurs ? deps.sealer.open(String(params.requestState)) : undefined
  if (isOurs && state === undefined) return { kind: 'end', outcome: LOST }
  if (decision.verdict === 'allow')
    return isCarriedBy(classified, state)
      ? { kind: 'go', params: paramsFor(params, state) }
      : { kind: 'end', outcome: LOST }
  return new Confirmation(classified, decision, { deps, run, lastLook }).settle(state)
}

/** What a server said to one caller of one tool goes back from there and from nowhere else, also where nobody need be asked. */
function isCarriedBy(classified: Classified, state: CarriedState | undefined): boolean {
  const { caller, tool } = carrierOf(classified)
  return state?.caller === caller && state.tool === tool
}

function carrierOf({ call, tool }: Classified): Pick<CarriedState, 'caller' | 'tool'> {
  return { caller: call.exchange.caller.principal.id, tool: `${tool.server}:${tool.name}` }
}

interface Means {
  readonly deps: CallDeps
  readonly run: Run
  /** While a person thinks, much can happen. */
  readonly lastLook: LastLook
}

const LOST: Outcome = {
  kind: 'error',
  error: {
    code: RPC.invalidParams,
    message: 'this request state was not made here, or was changed on the way',
    data: { reason: 'invalid_request_state' },
  },
}

/** One question about one call, on its way to an answer. */
class Confirmation {
  readonly #classified: Classified
  readonly #decision: Asked
  readonly #deps: CallDeps
  readonly #run: Run
  readonly #lastLook: LastLook
  readonly #bindings: Bindings

  constructor(classified: Classified, decision: Asked, { deps, run, lastLook }: Means) {
    this.#classified = classified
    this.#decision = decision
    this.#deps = deps
    this.#run = run
    this.#lastLook = lastLook
    this.#bindings = bindCall(classified, decision, deps.rules().version)
  }

  async settle(state: CarriedState | undefined): Promise<Confirmed> {
    if (state !== undefined) return this.#comeBack(state)
    const { approvals } = this.#deps
    const standing = await approvals.findStanding(this.#decision.remember.map(kind => this.#bindings[kind]))
    if (standing !== undefined) return this.#go(standing)
    const known = await approvals.recall(this.#bindings.once)
    if (known?.state === 'denied') return this.#end(refuseDenied(this.#classified, known))
    if (known?.state === 'approved' && (await approvals.spend(known.id, this.#bindings.once)))
      return this.#go(known)
    return this.#ask()
  }

  /** The client repeats its call, with the state that we gave it and perhaps an answer. */
  async #comeBack(state: CarriedState): Promise<Confirmed> {
    const { approvals } = this.#deps
    const found = await approvals.find(state.approval)
    if (found === undefined) return this.#end(refuseOver(this.#classified, 'it was asked too long ago'))
    if (state.inner !== undefined) return this.#continue(found, state)
    if (found.binding !== this.#bindings.once)
      return this.#end(refuseOver(this.#classified, 'the call, the tool or the rules are no longer the same'))
    const answered = found.state === 'pending' ? await this.#takeAnswer(found) : found
    return this.#accept(answered)
  }

  /** The server asked in turn, in the middle of a call that was approved: for this once, or for longer. */
  async #continue(found: StoredApproval, state: CarriedState): Promise<Confirmed> {
    const kinds = ['once', ...this.#decision.remember] as const
    const binding = kinds.map(kind => continued(this.#bindings[kind])).find(one => one === found.binding)
    const isSpent = binding !== undefined && (await this.#deps.approvals.spend(found.id, binding))
    return isSpent
      ? this.#go(found, state)
      : this.#end(refuseOver(this.#classified, 'this state was used already, or something has changed'))
  }

  /** What the client's own user said; it counts unless somebody else has to say it. */
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
      // Somebody else was faster; what they said counts.
      return (await approvals.find(found.id)) ?? found
    }
  }

  async #accept(found: StoredApproval): Promise<Confirmed> {
    switch (found.state) {
      case 'approved':
        return (await this.#deps.approvals.spend(found.id, this.#bindings.once))
          ? this.#go(found)
          : this.#end(refuseOver(this.#classified, 'the approval was used already, or came too late'))
      case 'denied':
        return this.#end(refuseDenied(this.#classified, found))
      case 'pending':
        return this.#askOn(found)
      default:
        return this.#end(refuseOver(this.#classified, 'the approval was used already'))
    }
  }

  async #ask(): Promise<Confirmed> {
    const { approvals } = this.#deps
    await approvals.takeTurn()
    const unseen = refuseUnseen(this.#classified)
    if (unseen !== undefined) return this.#end(unseen)
    const question = {
      principal: this.#classified.call.exchange.caller.principal.id,
      binding: this.#bindings.once,
    }
    const asked = await approvals.ask(question, () => this.#describe())
    if (asked === undefined) return this.#end(refuseFlood(this.#classified))
    this.#deps.onAsked?.(asked)
    return this.#askOn(asked)
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
      legs: sessions.legsOf(session, now),
      preview,
      validMs: confirming().validMs,
    })
  }

  /** By the best channel there is: the client's user, or whoever sits at the console. */
  async #askOn(asked: StoredApproval): Promise<Confirmed> {
    const { exchange } = this.#classified.call
    const { caller } = exchange
    const mayAskClient =
      asked.channel === 'any' &&
      this.#decision.channel === 'any' &&
      exchange.isPart !== true &&
      canShowForm(caller.envelope.capabilities)
    if (mayAskClient && caller.era === 'modern') return this.#end(this.#inputRequired(asked))
    const { waitMs } = this.#deps.confirming()
    if (!mayAskClient && waitMs === 0)
      return this.#end(refuseWaiting(this.#classified, asked, this.#decision))
    const waited = await waitForAnswer(asked, exchange, {
      approvals: this.#deps.approvals,
      form: mayAskClient ? confirmationForm(asked) : undefined,
      waitMs: mayAskClient ? asked.expiresAt - Date.now() : waitMs,
      record: answer => this.#record(asked, { ...answer, via: 'elicitation' }),
    })
    // One answer may be for hundreds of calls.
    await this.#deps.approvals.takeTurn()
    return this.#endWait(waited, asked)
  }

  async #endWait(waited: Waited, asked: StoredApproval): Promise<Confirmed> {
    if (waited.kind === 'cancelled') return this.#end({ kind: 'cancelled' })
    if (waited.kind === 'nobody') return this.#end(refuseWaiting(this.#classified, asked, this.#decision))
    if (waited.approval.state === 'pending')
      return this.#end(refuseWaiting(this.#classified, asked, this.#decision))
    const refusal = await this.#lastLook.look()
    return refusal === undefined ? this.#accept(waited.approval) : this.#end({ kind: 'refused', refusal })
  }

  #inputRequired(asked: StoredApproval): Outcome {
    const result: Json = {
      resultType: 'input_required',
      inputRequests: { [FORM_KEY]: { method: 'elicitation/create', params: confirmationForm(asked) } },
      requestState: this.#deps.sealer.seal({ approval: asked.id, ...carrierOf(this.#classified) }),
    }
    return { kind: 'answered', result }
  }

  #go(approval: StoredApproval, state?: CarriedState): Confirmed {
    return { kind: 'go', params: withoutUnseen(paramsFor(this.#classified.call.params, state)), approval }
  }

  #end(outcome: Outcome): Confirmed {
    return { kind: 'end', outcome }
  }
}

type FormAnswer = NonNullable<ReturnType<typeof readForm>>

/**
 * What was between the client and us is not the server's affair. Answers go to a server only where it asked, which the
 * sealed state says: nobody has seen any others.
 */
function paramsFor(params: Json, state: CarriedState | undefined): Json {
  const { requestState: _state, inputResponses, ...rest } = params
  if (state?.inner === undefined) return rest
  const { [FORM_KEY]: _ours, ...others } = isJsonObject(inputResponses) ? inputResponses : {}
  return {
    ...rest,
    ...(Object.keys(others).length === 0 ? {} : { inputResponses: others }),
    ...(state.inner === '' ? {} : { requestState: state.inner }),
  }
}

/** A server that asks in the middle of an approved call gets its answer under the same approval, once. */
export function carryOn(
  outcome: Outcome,
  classified: Classified,
  { confirmed, deps }: { confirmed: Extract<Confirmed, { kind: 'go' }>; deps: CallDeps },
): Outcome | Promise<Outcome> {
  const { approval } = confirmed
  const isAsking = outcome.kind === 'answered' && isInputRequired(outcome.result)
  if (!isAsking || approval === undefined) return outcome
  const { result } = outcome
  const inner = typeof result.requestState === 'string' ? result.requestState : ''
  return deps.approvals.extend(approval).then(extended => {
    const requestState = deps.sealer.seal({ approval: extended.id, ...carrierOf(classified), inner })
    return { kind: 'answered', result: { ...result, requestState } }
  })
}
