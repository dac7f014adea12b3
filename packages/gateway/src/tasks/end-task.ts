import { type Outcome, type Refusal, refusalBody, refusalResult } from '../exchange/outcome.ts'
import { type Json, RPC } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'
import { TASK_LIMITS, type TaskState } from '../store/task-store.ts'
import type { Ending } from './task-vault.ts'

export interface EndOfTask {
  readonly state: Extract<TaskState, 'completed' | 'failed' | 'cancelled'>
  readonly ending: Ending
  readonly note: string | undefined
}

/**
 * Turns the outcome of a call into the end of its task. A call that was sent ends as a direct call would, so a refusal
 * of its result is a result. A call that was not sent is cancelled if a person denied it, and otherwise has failed.
 */
export function endOf(outcome: Outcome, wasSent: boolean): EndOfTask {
  switch (outcome.kind) {
    case 'answered':
      return completed(outcome.result)
    case 'error':
      return { state: 'failed', ending: { error: outcome.error }, note: outcome.error.message }
    case 'cancelled':
      return { state: 'cancelled', ending: {}, note: wasSent ? CANCELLED_LATE : CANCELLED }
    case 'refused':
      return wasSent ? completed(refusalResult(outcome.refusal)) : endOfRefusal(outcome.refusal)
  }
}

const CANCELLED = 'The client cancelled the task. Nothing was executed.'
const CANCELLED_LATE =
  'The client cancelled the task after the call was sent, so the server might have executed it.'

function completed(result: Json): EndOfTask {
  if (writeJson(result).length <= TASK_LIMITS.longestResult)
    return { state: 'completed', ending: { result }, note: undefined }
  const text = `The call was executed, but its result is longer than ${TASK_LIMITS.longestResult} characters and was not kept.`
  return {
    state: 'completed',
    ending: { result: { content: [{ type: 'text', text }], isError: true } },
    note: text,
  }
}

function endOfRefusal(refusal: Refusal): EndOfTask {
  const note = `${refusal.message} ${refusal.remedy}`
  const body = refusalBody(refusal)
  if (refusal.code === 'confirmation_denied') return { state: 'cancelled', ending: { refusal: body }, note }
  const error = { code: RPC.generic, message: refusal.message, data: body }
  return { state: 'failed', ending: { error }, note }
}

const UNKNOWN =
  'The gateway was stopped after the call was sent and before its result arrived, so the outcome is unknown. Check whether the call was executed before you repeat it.'
const NOT_SENT =
  'The gateway was stopped before the call was sent, and another call has used the approval. Nothing was executed; call again.'
const NO_ACCESS =
  'The token that made the call is no longer valid, or was replaced. Nothing was executed; call again with a valid token.'
const FAULT = "The call ended with an internal error of the gateway; see the gateway's log."

function failed(note: string, reason: string): EndOfTask {
  return {
    state: 'failed',
    ending: { error: { code: RPC.internal, message: note, data: { reason } } },
    note,
  }
}

export const UNKNOWN_OUTCOME = failed(UNKNOWN, 'outcome_unknown')
export const STOPPED_EARLY = failed(NOT_SENT, 'not_sent')
export const LOST_ACCESS = failed(NO_ACCESS, 'token_invalid')
export const INTERNAL_FAULT = failed(FAULT, 'internal')

/** The end of a call that a person denied, or that no person answered in time, although the rules now allow it. */
export const DENIED_BEFORE: EndOfTask = {
  state: 'cancelled',
  ending: {},
  note: 'The call was not made, because it was cancelled, or no person approved it in time.',
}
