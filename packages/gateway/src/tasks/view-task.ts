import type { Caller } from '../exchange/exchange.ts'
import { toModernResult } from '../protocol/eras.ts'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import type { TaskStatus } from '../protocol/tasks.ts'
import type { StoredTask } from '../store/task-store.ts'
import type { Ending, Talk } from './task-vault.ts'

/** How often a client should ask, in milliseconds. */
const POLL_MS = 1000

/** On a task: the reasons why the call was not made, as agents know them from refusals. */
const META_REFUSAL = 'io.hintgate/refusal'

/** The members that every view of a task has. */
export function describeTask(task: StoredTask, status: TaskStatus, note = task.note): Json {
  return {
    taskId: task.id,
    status,
    ...(note === undefined ? {} : { statusMessage: note }),
    createdAt: new Date(task.createdAt).toISOString(),
    lastUpdatedAt: new Date(task.updatedAt).toISOString(),
    ttlMs: task.expiresAt - task.createdAt,
    pollIntervalMs: POLL_MS,
  }
}

export interface Shown {
  readonly talk: Talk
  readonly ending: Ending
  /** The gateway's own question, while a person has to decide. */
  readonly form: Json | undefined
}

/** Returns a task as its client sees it, with its questions, its result or its error. */
export function viewTask(task: StoredTask, { talk, ending, form }: Shown): Json {
  switch (task.state) {
    case 'waiting':
      return { ...describeTask(task, 'input_required'), inputRequests: form ?? {} }
    case 'asking':
      return { ...describeTask(task, 'input_required'), inputRequests: talk.requests }
    case 'claimed':
    case 'sent':
    case 'remote':
      return Object.keys(talk.requests).length === 0
        ? describeTask(task, 'working')
        : { ...describeTask(task, 'input_required'), inputRequests: talk.requests }
    case 'completed':
      return { ...describeTask(task, 'completed'), result: resultOf(ending) }
    case 'failed':
      return { ...describeTask(task, 'failed'), error: ending.error }
    case 'cancelled':
      return { ...describeTask(task, 'cancelled'), ...reasonsOf(ending) }
  }
}

/** Replaces the URIs in a server's result by addresses of the endpoint at which a client asks. */
export type Address = (result: Json, server: string, caller: Caller) => Json

/** Returns the view of a task with addresses in its result, if it has one. */
export function addressTask(
  shown: Json,
  server: string,
  { caller, address }: { readonly caller: Caller; readonly address: Address | undefined },
): Json {
  if (address === undefined || !isJsonObject(shown.result)) return shown
  return { ...shown, result: address(shown.result, server, caller) }
}

function resultOf({ result = {} }: Ending): Json {
  return toModernResult('tools/call', result, undefined)
}

function reasonsOf({ refusal }: Ending): Json {
  return refusal === undefined ? {} : { _meta: { [META_REFUSAL]: refusal } }
}
