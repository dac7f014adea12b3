import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { sliceResult } from '../protocol/json-text.ts'
import type { Json } from '../protocol/messages.ts'
import { rememberTexts } from '../provenance/remember-texts.ts'
import { type Checked, checkResultBeside } from '../results/check-result.ts'
import { misfitOf } from '../results/misfit-of.ts'
import { type OwnRemarks, resultInOwnVoice, withOwnRemarks } from '../results/own-voice.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { CallDeps } from './call-deps.ts'
import { IMPERSONATION } from './explain-no-answer.ts'
import { inspectError, inspectNoAnswer, refuseTooLong } from './inspect-failure.ts'
import type { CallReply } from './questions-in-call.ts'
import type { CallRecord } from './record.ts'
import { blocked, refuseUnfit } from './refusals.ts'
import { filterAnswer } from './toolset/filter-answer.ts'

export interface Inspection {
  /** The number of times that the call was sent. The caller is told if it was more than once. */
  readonly attempts: number
  readonly notes: readonly string[]
  /**
   * Stores the text that an agent will read. Gets the whole result, before a long one is shortened. Await the promise,
   * if any.
   */
  readonly remember?: (outcome: Outcome) => undefined | Promise<void>
  readonly deps: Pick<CallDeps, 'results' | 'rules' | 'searcher'>
}

/**
 * Turns a reply into the outcome for the caller. The reply is screened, and reserved text is removed, before any client
 * sees it. A result that is too long for one answer is stored for `read_result`.
 */
export function inspect(
  reply: CallReply,
  classified: Classified,
  { attempts, notes, remember, deps }: Inspection,
): Outcome | Promise<Outcome> {
  const { tool, call } = classified
  const rules = deps.rules().results(tool.server)
  const failed = (why: Parameters<typeof inspectNoAnswer>[0]) => {
    const outcome = inspectNoAnswer(why, classified, { attempts, rules })
    return after(remember?.(outcome), () => outcome)
  }
  if (reply.kind !== 'answer') return failed(reply)
  const beside = { searcher: deps.searcher, owner: call.exchange.caller.principal.id }
  const { result = {}, error } = reply.message
  if (error !== undefined)
    return inspectError(error, classified, { rules, beside }).then(outcome =>
      after(remember?.(outcome), () => outcome),
    )
  const pass = (checked: Checked): Outcome | Promise<Outcome> => {
    if (checked.kind === 'blocked') return { kind: 'refused', refusal: blocked(classified, checked.reasons) }
    if (checked.kind === 'impersonates') return failed(IMPERSONATION)
    const whole = answered(reply, checked, { attempts, notes: call.claim === undefined ? [] : notes })
    const hasWarning = checked.kind === 'changed' && checked.warning !== undefined
    const said = filterAnswer(whole, classified, { hasWarning })
    if (said.kind === 'unfit') return { kind: 'refused', refusal: refuseUnfit(classified, said.why) }
    const chars = answerChars(classified)
    const isWhole = call.claim === undefined && chars === undefined
    return after(remember?.(said), () => (isWhole ? said : keepLong(said, classified, { chars, deps })))
  }
  const checking = {
    rules,
    isOpenWorld: tool.assessment.effective.openWorld.value,
    misfit: misfitOf(reply, tool.definition.outputSchema, rules),
    restrain: (shown: Json) => resultInOwnVoice(shown, reply.era),
  }
  const checked = checkResultBeside(result, checking, beside)
  return checked instanceof Promise ? checked.then(pass) : pass(checked)
}

/** Calls `next` after `work`, or immediately if there is nothing to wait for. */
function after<T>(work: undefined | Promise<void>, next: () => T): T | Promise<Awaited<T>> {
  return work === undefined ? next() : (work.then(next) as Promise<Awaited<T>>)
}

type Reply = Extract<ServerReply, { kind: 'answer' }>
type Answered = Extract<Outcome, { kind: 'answered' }>

/**
 * Returns the outcome of an answered call. The JSON text as the server sent it is passed on only if the result is
 * unchanged.
 */
function answered(
  { message: { result = {} }, text, bytes }: Reply,
  checked: Extract<Checked, { kind: 'clean' | 'changed' }>,
  remarks: OwnRemarks,
): Answered {
  const said = withOwnRemarks(checked.kind === 'changed' ? checked.result : result, remarks)
  if (said !== result) return { kind: 'answered', result: said, bytes }
  return { kind: 'answered', result, text: text === undefined ? undefined : sliceResult(text), bytes }
}

/** Returns the maximum length of an answer that the toolset sets, for this tool or for all its tools. */
function answerChars({ call, offered }: Classified): number | undefined {
  return offered?.override?.answerChars ?? call.set?.config?.answerChars
}

async function keepLong(
  outcome: Answered,
  classified: Classified,
  { chars, deps }: { readonly chars: number | undefined; readonly deps: Pick<CallDeps, 'results'> },
): Promise<Outcome> {
  const { call, tool } = classified
  const kept = await deps.results.keep(outcome.result, {
    owner: call.exchange.caller.principal.id,
    tool: `${tool.server}:${tool.name}`,
    now: Date.now(),
    text: outcome.text,
    structured: 'omit',
    chars,
    set: call.set?.name,
  })
  if (kept.kind === 'whole') return outcome
  if (kept.kind === 'kept') return { kind: 'answered', result: kept.first }
  return { kind: 'refused', refusal: refuseTooLong(classified, kept.why) }
}

/** Stores the passages in a server's texts before the agent reads them. */
export function rememberPassages(
  { call, classified, session, at }: Pick<CallRecord, 'call' | 'classified' | 'session' | 'at'>,
  said: Json,
  { passages }: Pick<CallDeps, 'passages'>,
): undefined | Promise<void> {
  // A tool that an operator vouches for as closed-world returns no text from outsiders.
  if (classified?.tool.assessment.effective.openWorld.value === false) return undefined
  const { server, tool, exchange, params } = call
  const source = { server, tool, request: exchange.requestId, session: session.session, at }
  return rememberTexts(said, {
    memory: passages,
    principal: session.principal,
    source,
    args: params.arguments,
  })
}

/** Returns the part of an outcome that can contain a server's texts. A refusal can quote the server as well. */
export function saidWith(outcome: Outcome): Json {
  if (outcome.kind === 'answered') return outcome.result
  if (outcome.kind === 'error') return { ...outcome.error }
  return outcome.kind === 'refused' ? { message: outcome.refusal.message } : {}
}
