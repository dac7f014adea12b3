import { type ArgumentCheck, compileOutputSchema } from '../arguments/compile-schema.ts'
import type { CatalogTool } from '../catalog/catalog.ts'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { ResultRules } from '../policy/rules.ts'
import { isInputRequired } from '../protocol/eras.ts'
import { sliceResult } from '../protocol/json-text.ts'
import { isJsonObject, type Json, type RpcError } from '../protocol/messages.ts'
import { checkErrorBeside } from '../results/check-error.ts'
import { type Beside, type Checked, checkResultBeside } from '../results/check-result.ts'
import type { ResultKeeper } from '../results/kept/keep-results.ts'
import { errorInOwnVoice, META_ATTEMPTS, META_NOTES, resultInOwnVoice } from '../results/own-voice.ts'
import type { ServerReply } from '../upstream/attempt.ts'
import type { CallDeps } from './call-deps.ts'
import { explainNoAnswer, refused, screenRefusal } from './explain-no-answer.ts'
import { blocked } from './refusals.ts'

interface Inspection {
  readonly notes: readonly string[]
  readonly deps: Pick<CallDeps, 'findServer' | 'results' | 'rules' | 'searcher'>
}

/** Looks at what came back before anybody reads it. What is too long for one answer is kept to be read on. */
export function inspect(
  outcome: Outcome,
  classified: Classified,
  { notes, deps }: Inspection,
): Outcome | Promise<Outcome> {
  const rules = deps.rules().results(classified.tool.server)
  const beside = { searcher: deps.searcher, owner: classified.call.exchange.caller.principal.id }
  if (outcome.kind === 'error') return inspectError(outcome.error, classified, { rules, beside })
  if (outcome.kind === 'refused') return { kind: 'refused', refusal: screenRefusal(outcome.refusal, rules) }
  if (outcome.kind !== 'answered') return outcome
  const pass = (checked: Checked): Outcome | Promise<Outcome> => {
    const said = readChecked(checked, outcome, classified)
    if (said.kind !== 'answered' || classified.call.claim === undefined) return said
    const noted = notes.length === 0 ? said : withNotes(said, notes)
    return keepLong(noted, classified, deps.results)
  }
  const { tool } = classified
  const isOpenWorld = tool.assessment.effective.openWorld.value
  const restrain = (changed: Json) => resultInOwnVoice(changed, deps.findServer(tool.server)?.handshake?.era)
  const checking = { rules, isOpenWorld, misfit: misfitOf(outcome, tool, rules), restrain }
  const checked = checkResultBeside(outcome.result, checking, beside)
  return checked instanceof Promise ? checked.then(pass) : pass(checked)
}

function readChecked(checked: Checked, outcome: Answered, classified: Classified): Outcome {
  switch (checked.kind) {
    case 'clean':
      return outcome
    case 'tainted':
      return { kind: 'answered', result: checked.result, bytes: outcome.bytes }
    case 'blocked':
      return { kind: 'refused', refusal: blocked(classified, checked.reasons) }
  }
}

async function inspectError(
  error: RpcError,
  classified: Classified,
  { rules, beside }: { readonly rules: ResultRules; readonly beside: Beside },
): Promise<Outcome> {
  const isOpenWorld = classified.tool.assessment.effective.openWorld.value
  const checked = await checkErrorBeside(error, { rules, isOpenWorld, restrain: errorInOwnVoice }, beside)
  return checked.kind === 'blocked'
    ? { kind: 'refused', refusal: blocked(classified, checked.reasons) }
    : { kind: 'error', error: checked.error }
}

const outputChecks = new WeakMap<CatalogTool, ArgumentCheck>()

/** Only a tool that promised a form can break the promise. */
function misfitOf(
  { result }: Answered,
  tool: CatalogTool,
  { schema }: ResultRules,
): (() => string | undefined) | undefined {
  const { outputSchema } = tool.definition
  if (outputSchema === undefined || schema === 'off' || result.isError === true) return undefined
  if (isInputRequired(result)) return undefined
  return () => {
    const known = outputChecks.get(tool) ?? compileOutputSchema(outputSchema)
    outputChecks.set(tool, known)
    const problem = known(result.structuredContent)
    if (problem === undefined) return undefined
    return `${problem.field === '' ? 'structuredContent' : problem.field}: expected ${problem.expected}`
  }
}

type Answered = Extract<Outcome, { kind: 'answered' }>

function withNotes({ result, bytes }: Answered, notes: readonly string[]): Answered {
  const meta: Json = isJsonObject(result._meta) ? result._meta : {}
  return { kind: 'answered', result: { ...result, _meta: { ...meta, [META_NOTES]: notes } }, bytes }
}

async function keepLong(
  outcome: Answered,
  { call, tool, variant }: Classified,
  results: ResultKeeper,
): Promise<Outcome> {
  const kept = await results.keep(outcome.result, {
    owner: call.exchange.caller.principal.id,
    tool: `${tool.server}:${tool.name}`,
    now: Date.now(),
    text: outcome.text,
    structured: 'omit',
  })
  if (kept.kind === 'whole') return outcome
  if (kept.kind === 'kept') return { kind: 'answered', result: kept.first }
  const refusal: Refusal = {
    code: 'result_too_large',
    message: `The result of ${JSON.stringify(call.typed)} is too long for one answer, and ${kept.why}.`,
    tool: call.typed,
    variant,
    verdict: 'failed',
    reasons: [{ rule: 'limits.answer', source: 'config', text: kept.why }],
    remedy:
      variant === 'call_tool_read'
        ? 'Ask for less at once.'
        : 'It was executed. Do not repeat it to see the result; ask for the result by a read.',
  }
  return { kind: 'refused', refusal }
}

/** What a reply, or the lack of one, means for the caller. It is told of attempts where one was not enough. */
export function toOutcome(reply: ServerReply, classified: Classified, attempts: number): Outcome {
  switch (reply.kind) {
    case 'answer':
      return reply.message.error === undefined
        ? answered(reply, attempts)
        : { kind: 'error', error: reply.message.error }
    case 'cancelled':
      return { kind: 'cancelled' }
    default:
      return refused(classified, explainNoAnswer(reply), attempts)
  }
}

function answered(
  { message, text, bytes }: Extract<ServerReply, { kind: 'answer' }>,
  attempts: number,
): Outcome {
  const { result = {} } = message
  if (attempts <= 1)
    return { kind: 'answered', result, text: text === undefined ? undefined : sliceResult(text), bytes }
  const meta: Json = isJsonObject(result._meta) ? result._meta : {}
  return { kind: 'answered', result: { ...result, _meta: { ...meta, [META_ATTEMPTS]: attempts } }, bytes }
}
