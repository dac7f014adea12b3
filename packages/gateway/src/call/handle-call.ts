import { mayRetry } from '@hintgate/metadata'
import type { CatalogTool } from '../catalog/catalog.ts'
import { writeParamHeaders } from '../catalog/param-headers.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Facts } from '../policy/facts/facts.ts'
import { plainCall } from '../protocol/eras.ts'
import type { Json } from '../protocol/messages.ts'
import { withoutTasks } from '../protocol/tasks.ts'
import { askForOlderTask, inNewerForm, makesOlderTasks } from '../upstream/older-tasks.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { CallDeps } from './call-deps.ts'
import { keepOpen } from './confirm.ts'
import { refuseWhileBreakerOpen } from './explain-no-answer.ts'
import type { Forwarded } from './forward.ts'
import { type Inspection, rememberPassages, saidWith } from './inspect.ts'
import { gatherFacts, limitRate, loadRiskFactors, noteRiskFactors } from './judge-call.ts'
import { mayBecomeTask } from './keep-task.ts'
import { checkArguments, findTool } from './match-tool.ts'
import { notesOf, prepareCall } from './prepare-call.ts'
import { Recheck } from './recheck.ts'
import { type CallRecord, entryOf, recordFault, recordIntent, recordOutcome, startRecord } from './record.ts'
import { refuseDecision } from './refusals.ts'
import { STEPS, type Steps, type Watched } from './steps.ts'

/**
 * Handles a tool call. Every call takes the steps below, whichever transport it arrived by. Every ending is recorded,
 * even an internal error of the gateway.
 */
export function handleCall(call: IncomingCall, deps: CallDeps & Watched): Promise<Outcome> {
  const { watch } = deps
  return watch === undefined
    ? recordCall(call, deps, STEPS)
    : watch(call, steps => recordCall(call, deps, steps))
}

async function recordCall(call: IncomingCall, deps: CallDeps & Watched, steps: Steps): Promise<Outcome> {
  const record = startRecord(call)
  try {
    const outcome = await takeSteps(record, deps, steps)
    return await recordOutcome(record, outcome, deps.recorder)
  } catch (error) {
    // The call might have been executed, so it must be in the log, whatever failed here.
    await recordFault(record, deps.recorder)
    throw error
  } finally {
    record.releaseTurn?.()
  }
}

/**
 * The steps of a call. Their order is a security property. Each step either continues or ends the call with an outcome.
 */
async function takeSteps(record: CallRecord, deps: CallDeps & Watched, steps: Steps): Promise<Outcome> {
  const target = await findTool(record.call, deps)
  if ('refusal' in target) return refused(target.refusal)
  const { server } = target
  const { classified, refusal } = prepareCall(record.call, target)
  const { call } = classified
  record.call = call
  record.classified = classified
  if (refusal !== undefined) return refused(refusal)
  const factors = await loadRiskFactors(record, classified, deps)
  if ('code' in factors) return refused(factors)
  const facts = gatherFacts(classified, { server, ...factors, now: record.at })
  const decision = steps.decide(facts, deps.rules())
  record.facts = facts
  record.decision = decision
  if (decision.verdict === 'deny') return refused(refuseDecision(classified, decision))
  const unsendable = findUnsendable(classified, server, deps) ?? (await limitRate(facts, classified, deps))
  if (unsendable !== undefined) return refused(unsendable)
  const recheck = new Recheck({ record, classified, decision, factors, server, decide: steps.decide, deps })
  const run = (part: IncomingCall) => handleCall(part, deps)
  const confirmed = await steps.confirm(classified, decision, { deps, run, recheck })
  record.approval = confirmed.approval
  if (confirmed.kind === 'end') return confirmed.outcome
  const turn = await deps.turns.take(call.exchange, kindOf(classified), server.config)
  if (turn === 'cancelled') return { kind: 'cancelled' }
  record.releaseTurn = turn
  record.intent = entryOf(record)
  const unsafe = (await noteRiskFactors(record, classified, deps)) ?? (await recordIntent(record, deps))
  if (unsafe !== undefined) return refused(unsafe)
  if (call.task !== undefined && !(await call.task.maySend())) return { kind: 'cancelled' }
  const request = requestOf(confirmed.params, target, { record, facts, recheck, deps })
  const reply = inNewerForm(await steps.forward(call.exchange, request))
  const stopped = recheck.endOf(reply)
  record.attempts = stopped?.attempts ?? record.attempts
  if (stopped !== undefined) return stopped.outcome
  const outcome = await steps.inspect(reply, classified, inspectionOf(record, classified, deps))
  return keepOpen(outcome, classified, { approval: record.approval, once: confirmed.once, server, deps })
}

function findUnsendable(classified: Classified, server: UpstreamServer, deps: CallDeps): Refusal | undefined {
  const misfit = checkArguments(classified, server)
  if (misfit !== undefined || !server.isBreakerOpen) return misfit
  return refuseWhileBreakerOpen(classified, server, deps.rules())
}

function inspectionOf(record: CallRecord, classified: Classified, deps: CallDeps): Inspection {
  const notes = [...(record.decision?.notes ?? []), ...notesOf(classified)]
  const remember = (outcome: Outcome) => rememberPassages(record, saidWith(outcome), deps)
  return { attempts: record.attempts, notes, remember, deps }
}

function kindOf({ variant }: Classified): 'read' | 'write' {
  return variant === 'call_tool_read' ? 'read' : 'write'
}

function refused(refusal: Refusal): Outcome {
  return { kind: 'refused', refusal }
}

/** Lets the server make a task of the call only if the client knows tasks. */
function paramsToSend(
  params: Json,
  { record, server, tool }: { record: CallRecord; server: UpstreamServer; tool: CatalogTool },
): Json {
  if (!mayBecomeTask(record.call)) return plainCall(withoutTasks(params), tool.name)
  const plain = plainCall(params, tool.name)
  return makesOlderTasks(server.handshake, tool.definition) ? askForOlderTask(plain) : plain
}

/** This is one object literal, because spreading an object and then adding a function is slow to create and to read. */
function requestOf(
  params: Json,
  { server, tool }: { server: UpstreamServer; tool: CatalogTool },
  { record, facts, recheck, deps }: { record: CallRecord; facts: Facts; recheck: Recheck; deps: CallDeps },
): Forwarded {
  return {
    server,
    method: 'tools/call',
    params: paramsToSend(params, { record, server, tool }),
    headers: writeParamHeaders(tool.paramHeaders, params.arguments),
    mayRepeat: mayRetry(tool.assessment.effective),
    onAttempt: count => {
      record.attempts = count
    },
    guard: { facts, rules: deps.rules },
    remember: said => rememberPassages(record, said, deps),
    longWork: deps.longWork,
    objectTo: recheck.objectTo,
  }
}
