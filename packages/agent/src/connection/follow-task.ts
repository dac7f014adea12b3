import { setTimeout as sleep } from 'node:timers/promises'
import { classifyFailure } from '../call/classify-failure.ts'
import { AgentError } from '../errors.ts'
import { isJsonObject, type Json } from '../json.ts'
import type { AnswerInput } from './raw-client.ts'
import { isTask, type Task } from './task.ts'

const META_REFUSAL = 'io.hintgate/refusal'
const POLL_MS = 1000
const LEAST_POLL_MS = 100
const MOST_POLL_MS = 60_000
/** How long to go on without an answer if the server set no time limit for the task. */
const PATIENCE_MS = 10 * 60_000

export interface Following {
  readonly ask: (method: 'tasks/get' | 'tasks/update' | 'tasks/cancel', params: Json) => Promise<Json>
  /** Called after the connection was lost. */
  readonly recover: () => Promise<void>
  readonly onTask: (task: Task) => void
  readonly answerInput: AnswerInput
  readonly signal: AbortSignal | undefined
}

/**
 * Waits until a task is over, and returns the result of its call. A lost connection does not end the wait. If the caller
 * cancels the call, the task is cancelled too.
 */
export async function followTask(first: Task, following: Following): Promise<Json> {
  const { onTask, signal } = following
  const answered = new Set<string>()
  let task = first
  onTask(task)
  for (;;) {
    await pause(task, signal)
    if (signal?.aborted === true) return cancel(task, following)
    const next = await read(task, following)
    if (next.status !== task.status || next.statusMessage !== task.statusMessage) onTask(next)
    task = next
    if (task.status === 'input_required') await answer(task, answered, following)
    else if (task.status !== 'working') return endOf(task)
  }
}

async function pause({ pollIntervalMs = POLL_MS }: Task, signal: AbortSignal | undefined): Promise<void> {
  const ms = Math.min(Math.max(pollIntervalMs, LEAST_POLL_MS), MOST_POLL_MS)
  await sleep(ms, undefined, { ...(signal && { signal }) }).catch(() => {})
}

/** Asks for the task, again and again while the connection is lost. */
async function read(task: Task, { ask, recover, signal }: Following): Promise<Task> {
  const giveUpAt = Math.max(Date.now() + PATIENCE_MS, endsAt(task))
  for (;;)
    try {
      const { resultType: _, ...said } = await ask('tasks/get', { taskId: task.taskId })
      if (isTask(said)) return said
      throw new AgentError('upstream_protocol', 'The server gave no usable answer about its task', {
        mayHaveRun: true,
      })
    } catch (error) {
      const { isTransport } = classifyFailure(error, signal)
      if (!isTransport || Date.now() > giveUpAt || signal?.aborted === true) throw error
      await recover()
      await pause(task, signal)
    }
}

function endsAt({ createdAt, ttlMs }: Task): number {
  const begun = createdAt === undefined ? Number.NaN : Date.parse(createdAt)
  return typeof ttlMs === 'number' && !Number.isNaN(begun) ? begun + ttlMs : 0
}

/** Answers the questions that were not answered before. */
async function answer(task: Task, answered: Set<string>, { ask, answerInput }: Following): Promise<void> {
  const asked = isJsonObject(task.inputRequests) ? Object.entries(task.inputRequests) : []
  const open = asked.filter(([key]) => !answered.has(key))
  if (open.length === 0) return
  for (const [key] of open) answered.add(key)
  const inputResponses = await answerInput(Object.fromEntries(open))
  await ask('tasks/update', { taskId: task.taskId, inputResponses })
}

async function cancel(task: Task, { ask, signal }: Following): Promise<never> {
  await ask('tasks/cancel', { taskId: task.taskId }).catch(() => {})
  throw new AgentError('cancelled', 'The call was cancelled while its task was open', {
    cause: signal?.reason,
    mayHaveRun: task.status !== 'input_required',
  })
}

/** Returns the result of a task that is over. A refusal has the form in which a gateway refuses a call directly. */
function endOf(task: Task): Json {
  if (task.status === 'completed' && isJsonObject(task.result)) return withoutType(task.result)
  const error = isJsonObject(task.error) ? task.error : {}
  const meta = isJsonObject(task._meta) ? task._meta : {}
  const refusal = meta[META_REFUSAL] ?? (isRefusal(error.data) ? error.data : undefined)
  const said = typeof error.message === 'string' ? error.message : undefined
  const text = task.statusMessage ?? said ?? `The task ended as ${task.status}`
  if (refusal !== undefined)
    return { content: [{ type: 'text', text }], structuredContent: { error: refusal }, isError: true }
  if (task.status === 'cancelled') throw new AgentError('cancelled', text)
  const code = typeof error.code === 'number' ? error.code : -32603
  const rpc = { code, message: text, ...(error.data === undefined ? {} : { data: error.data }) }
  const { reason } = isJsonObject(error.data) ? error.data : {}
  throw new AgentError('rpc_error', text, { rpc, ...(reason === 'outcome_unknown' && { mayHaveRun: true }) })
}

function withoutType({ resultType: _, ...result }: Json): Json {
  return result
}

function isRefusal(data: unknown): boolean {
  return isJsonObject(data) && typeof data.code === 'string' && Array.isArray(data.reasons)
}
