import { mayRetry } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import { writeParamHeaders } from '../catalog/param-headers.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Json } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { checkArguments, refuseShapeless } from './check-arguments.ts'
import { classify } from './classify.ts'
import { carryOn } from './confirm.ts'
import type { Forwarded } from './forward.ts'
import { gatherFacts } from './gather-facts.ts'
import { guardAnswers } from './guard-answers.ts'
import { LastLook } from './last-look.ts'
import { limitRate } from './limit-rate.ts'
import { recordFault, recordIntent, recordOutcome, unrecorded } from './record.ts'
import { refuseDecision } from './refuse-decision.ts'
import { resolve } from './resolve.ts'
import { legsFor, noteLegs, readyLegs } from './session-legs.ts'
import { STEPS, type Steps, type Watched } from './steps.ts'
import { refuseAlone, toOutcome } from './to-outcome.ts'
import type { Leave } from './turns.ts'
import { Walk } from './walk.ts'
import { orRefuse } from './without-store.ts'

/**
 * The corridor. Every tool call, whichever door it came in by, walks these steps in this order; the order is a
 * security property. Each step either goes on or ends the call with an outcome, and every ending is recorded.
 */
export function handleCall(call: IncomingCall, deps: CallDeps & Watched): Promise<Outcome> {
  const { watch } = deps
  return watch === undefined
    ? walkThrough(call, deps, STEPS)
    : watch(call, steps => walkThrough(call, deps, steps))
}

async function walkThrough(call: IncomingCall, deps: CallDeps & Watched, steps: Steps): Promise<Outcome> {
  const walk = new Walk(call)
  const end = (outcome: Outcome) => recordOutcome(walk, outcome, deps.recorder)
  let leave: Leave | undefined
  try {
    const target = await resolve(call, deps)
    if ('refusal' in target) return end(refuse(target.refusal))

    const classified = walk.classify(classify(call, target.tool))
    const shapeless = refuseShapeless(classified)
    if (shapeless !== undefined) return end(refuse(shapeless))
    const loading = readyLegs(walk, deps, target.tool.assessment.effective)
    const lost = loading && (await orRefuse(loading, classified, deps))
    if (lost !== undefined) return end(refuse(lost))
    const facts = gatherFacts(classified, { server: target.server, ...legsFor(walk, deps), now: walk.at })
    const rules = deps.rules()
    const decision = walk.decide(steps.decide(facts, rules))
    if (decision.verdict === 'deny') return end(refuse(refuseDecision(classified, decision)))
    const means = { server: target.server, decide: steps.decide, walk, legs: facts.session, deps }
    const lastLook = new LastLook(classified, decision, means)
    const wrong = checkArguments(classified, target.server) ?? refuseAlone(classified, target.server, rules)
    if (wrong !== undefined) return end(refuse(wrong))
    const counting = limitRate(facts, classified, deps)
    const limited = counting && (await counting)
    if (limited !== undefined) return end(refuse(limited))

    const run = (part: IncomingCall) => handleCall(part, deps)
    const confirmed = await steps.confirm(classified, decision, { deps, run, lastLook })
    if (confirmed.kind === 'end') return end(confirmed.outcome)
    walk.approve(confirmed.approval)
    const waiting = deps.turns.take(classified, target.server)
    const turn = waiting && (await waiting)
    if (turn === 'cancelled') return end({ kind: 'cancelled' })
    leave = turn
    // Before anything is done: what may have happened counts, even if nobody lives to see the answer.
    const noting = noteLegs(walk, deps, target.tool.assessment.effective)
    const unnoted = noting && (await orRefuse(noting, classified, deps))
    if (unnoted !== undefined) return end(refuse(unnoted))
    const recording = recordIntent(walk, deps.recorder)
    const failure = recording && (await recording)
    if (failure !== undefined) return end(refuse(unrecorded(call, classified)))
    const exchange = guardAnswers(call.exchange, () => facts, deps)
    const request = requestOf(confirmed.params, target, { tally: walk, lastLook, deps })
    const reply = await steps.forward(exchange, request)
    const came = lastLook.endOf(reply, walk) ?? toOutcome(reply, classified, walk.attempts)
    const said = await carryOn(came, classified, { confirmed, deps })
    const outcome = await steps.inspect(said, classified, { notes: decision.notes, deps })
    return await end(outcome)
  } catch (error) {
    // It may have been executed, and a fault of ours is no reason that nobody can read that.
    await recordFault(walk, deps.recorder)
    throw error
  } finally {
    leave?.()
  }
}

function refuse(refusal: Refusal): Outcome {
  return { kind: 'refused', refusal }
}

/** The result of a task would come by a way that is not this corridor, so every call is made as one. */
function paramsFor(params: Json, name: string): Json {
  if (params.task === undefined) return params.name === name ? params : { ...params, name }
  const { task: _task, ...rest } = params
  return { ...rest, name }
}

/** One literal: an object that is spread and then given a function is slow to make, and slow to read for all who get it. */
function requestOf(
  params: Json,
  { server, tool }: { server: UpstreamServer; tool: CatalogTool },
  { tally, lastLook, deps }: { tally: Walk; lastLook: LastLook; deps: CallDeps },
): Forwarded {
  return {
    server,
    method: 'tools/call',
    params: paramsFor(params, tool.name),
    headers: writeParamHeaders(tool.paramHeaders, params.arguments),
    mayRepeat: mayRetry(tool.assessment.effective),
    tally,
    longWork: deps.longWork,
    objectTo: lastLook.objectTo,
  }
}
