import { handleCall } from '../call/handle-call.ts'
import { ownerOfState } from '../call/sealed-state.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { isInputRequired } from '../protocol/eras.ts'
import type { Json } from '../protocol/messages.ts'
import { isTask } from '../protocol/tasks.ts'
import type { Principal } from '../scope/scope.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import { DENIED_BEFORE, endOf, INTERNAL_FAULT, LOST_ACCESS, UNKNOWN_OUTCOME } from './end-task.ts'
import type { HeldTasks, OpenedTask } from './held-tasks.ts'
import type { TaskDeps } from './task-deps.ts'
import { callerOfTask, incomingOf, TaskExchange } from './task-exchange.ts'

interface Making {
  readonly approval: StoredApproval | undefined
  /** The caller with its current scope. Undefined if its credential is no longer valid. */
  readonly principal: Principal | undefined
  readonly held: HeldTasks
  readonly deps: TaskDeps
  /** Called when the call begins. */
  readonly onBegun: (exchange: TaskExchange) => void
}

/** Makes the call of a task that this process has claimed, with all its checks, and stores the outcome. */
export async function makeCall(claimed: OpenedTask, making: Making): Promise<void> {
  const { id, call } = claimed
  const { principal, held, deps } = making
  const set = call.set === undefined ? undefined : deps.findSet(call.set)
  // Outside of its toolset, the call would lose the arguments that the toolset fixes.
  if (principal === undefined || set?.name !== call.set) return held.end(id, LOST_ACCESS)
  const params = paramsOf(claimed, deps)
  const caller = callerOfTask(call, principal)
  const exchange = new TaskExchange(caller, params, requests => held.publish(id, requests))
  making.onBegun(exchange)
  const maySend = (): Promise<boolean> => markAsSent(claimed, exchange, making)
  const incoming = { ...incomingOf(call, { exchange, set }), params, task: { id, maySend } }
  try {
    await settle(claimed, await handleCall(incoming, deps.corridor()), { exchange, held })
  } catch (error) {
    deps.onError(error)
    await held.end(id, exchange.wasSent ? UNKNOWN_OUTCOME : INTERNAL_FAULT)
  }
}

/** Adds the state with which a call resumes, and the client's answers if the server asked. */
function paramsOf({ call, task, talk }: OpenedTask, deps: TaskDeps): Json {
  const { requestState: _state, inputResponses: _responses, ...params } = call.params
  const state = { approval: task.approval ?? '', ...ownerOfState(call.principal.id, call) }
  if (talk.round === 0) return { ...params, requestState: deps.corridor().sealer.seal(state) }
  return {
    ...params,
    inputResponses: talk.responses,
    ...(talk.state === undefined ? {} : { requestState: talk.state }),
  }
}

/**
 * Marks the call as sent, so that it is never sent again. Even if the rules no longer require an approval, a call that a
 * person denied is not sent, and the approval is used up.
 */
async function markAsSent(
  { id, talk }: OpenedTask,
  exchange: TaskExchange,
  { approval, held, deps }: Making,
): Promise<boolean> {
  const isApproved = isUsable(approval, id)
  // A call that needed no approval when the server asked needs none to continue.
  if (!isApproved && (approval !== undefined || talk.round === 0)) return false
  if (approval !== undefined) await deps.corridor().approvals.spend(approval.id, approval.binding, id)
  exchange.wasSent = await held.markSent(id)
  return exchange.wasSent
}

/** True if a person approved the call and no other call has used the approval. */
function isUsable(approval: StoredApproval | undefined, task: string): boolean {
  if (approval?.state === 'spent') return approval.spentBy === task
  return approval?.state === 'approved' && approval.expiresAt > Date.now()
}

interface Settling {
  readonly exchange: TaskExchange
  readonly held: HeldTasks
}

async function settle(claimed: OpenedTask, outcome: Outcome, { exchange, held }: Settling): Promise<void> {
  const { wasSent, isStopped, requestId } = exchange
  if (outcome.kind === 'answered' && isInputRequired(outcome.result)) return held.ask(claimed, outcome.result)
  if (outcome.kind === 'answered' && isTask(outcome.result))
    return held.keepRemote(claimed, outcome.result, requestId)
  if (outcome.kind !== 'cancelled') return held.end(claimed.id, endOf(outcome, wasSent))
  // Another gateway, or the next start of this one, continues a call that was not sent.
  if (isStopped && !wasSent) return
  if (isStopped) return held.end(claimed.id, UNKNOWN_OUTCOME)
  return held.end(claimed.id, wasSent ? endOf(outcome, true) : DENIED_BEFORE)
}
