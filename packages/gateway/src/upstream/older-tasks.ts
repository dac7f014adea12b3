import { isJsonObject, type Json } from '../protocol/messages.ts'
import { TASK_LIMITS } from '../store/task-store.ts'
import type { ServerReply } from './attempt.ts'
import type { Handshake } from './connection/upstream-request.ts'

/**
 * True if a server of revision 2025-11-25 turns calls to this tool into tasks. In that revision, the client must ask
 * for a task.
 */
export function makesOlderTasks(handshake: Handshake | undefined, { execution }: Json): boolean {
  if (handshake?.era !== 'legacy') return false
  const support = isJsonObject(execution) ? execution.taskSupport : undefined
  return (support === 'required' || support === 'optional') && offersTasks(handshake.capabilities)
}

function offersTasks({ tasks }: Json): boolean {
  const requests = isJsonObject(tasks) ? tasks.requests : undefined
  const tools = isJsonObject(requests) ? requests.tools : undefined
  return isJsonObject(tools) && isJsonObject(tools.call)
}

export function askForOlderTask(params: Json): Json {
  return { ...params, task: { ttl: TASK_LIMITS.longestMs } }
}

/** Gives a task of revision 2025-11-25 the form that it has today, so that everything else knows only one form. */
export function inNewerForm<R extends { readonly kind: string }>(reply: R | ServerReply): R | ServerReply {
  if (!isAnswer(reply) || reply.era !== 'legacy') return reply
  const { task } = reply.message.result ?? {}
  if (!isJsonObject(task) || typeof task.taskId !== 'string') return reply
  const { taskId, status, statusMessage, ttl } = task
  const result = { resultType: 'task', taskId, status, statusMessage, ttlMs: ttl ?? null }
  const { text: _, ...rest } = reply
  return { ...rest, era: 'modern', message: { ...reply.message, result } }
}

type Answer = Extract<ServerReply, { kind: 'answer' }>

function isAnswer(reply: { readonly kind: string }): reply is Answer {
  return reply.kind === 'answer'
}
