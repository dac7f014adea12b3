import { isJsonObject, type Json } from '../protocol/messages.ts'
import { isTaskStatus, type TaskStatus } from '../protocol/tasks.ts'
import { TASK_LIMITS } from '../store/task-store.ts'
import type { RemoteTask } from './task-vault.ts'

const LONGEST_ID = 1024

/** A task as its server describes it, before its texts are checked. */
export interface SaidTask {
  readonly status: TaskStatus
  readonly statusMessage?: string
  readonly result?: Json
  readonly error?: Json
  readonly inputRequests?: Json
}

interface NewRemote {
  readonly ref: RemoteTask
  /** The time until which the gateway keeps the task. */
  readonly expiresAt: number
  /** The server's note about the task, which was inspected. */
  readonly note: string | undefined
}

/** Reads the task that a server made. Undefined if it cannot be used. `request` is the request that the server answered. */
export function readRemote(result: Json, request: string, now = Date.now()): NewRemote | undefined {
  const { taskId, status, statusMessage, ttlMs } = result
  if (typeof taskId !== 'string' || taskId === '' || taskId.length > LONGEST_ID || !isTaskStatus(status))
    return undefined
  const isLimited = typeof ttlMs === 'number' && Number.isInteger(ttlMs) && ttlMs > 0
  const { longestMs } = TASK_LIMITS
  return {
    ref: { id: taskId, request },
    expiresAt: now + (isLimited ? Math.min(ttlMs, longestMs) : longestMs),
    note: typeof statusMessage === 'string' ? statusMessage : undefined,
  }
}

/** Reads a server's answer to `tasks/get`. Undefined if it does not describe this task. */
export function readSaid(result: Json, { id }: RemoteTask): SaidTask | undefined {
  const { taskId, status, statusMessage, inputRequests } = result
  if (taskId !== id || !isTaskStatus(status)) return undefined
  return {
    status,
    ...(typeof statusMessage === 'string' ? { statusMessage } : {}),
    ...(isJsonObject(result.result) ? { result: result.result } : {}),
    ...(isJsonObject(result.error) ? { error: result.error } : {}),
    ...(isJsonObject(inputRequests) ? { inputRequests } : {}),
  }
}
