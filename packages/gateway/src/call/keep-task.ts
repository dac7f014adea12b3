import type { CallTasks } from '../exchange/call-tasks.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome } from '../exchange/outcome.ts'
import { knowsTasks } from '../protocol/tasks.ts'
import { explainNoAnswer, refusalOf } from './explain-no-answer.ts'

type Answered = Extract<Outcome, { kind: 'answered' }>

/** True if the client of a call knows tasks. A call that is part of a batch, or made by the gateway, has no such client. */
export function mayBecomeTask({ exchange }: Pick<IncomingCall, 'exchange'>): boolean {
  const { caller, isPart } = exchange
  return caller.era === 'modern' && isPart !== true && knowsTasks(caller.envelope.capabilities)
}

const NOT_OFFERED = {
  kind: 'failure',
  failure: {
    kind: 'protocol',
    detail: 'the server made a task, although the client does not know tasks',
    notSent: false,
  },
} as const

/** Keeps the task that a server made. If the call itself was made by a task, that task keeps it, not this function. */
export function keepTask(
  outcome: Answered,
  classified: Classified,
  { tasks }: { readonly tasks: CallTasks },
): Outcome | Promise<Outcome> {
  const { call } = classified
  if (!mayBecomeTask(call))
    return { kind: 'refused', refusal: refusalOf(classified, explainNoAnswer(NOT_OFFERED), 1) }
  return call.task === undefined ? tasks.adopt(outcome, classified) : outcome
}
