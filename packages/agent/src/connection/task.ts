import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import { isJsonObject, type Json } from '../json.ts'

/** The protocol's extension for calls that outlive their requests. */
export const TASKS = 'io.modelcontextprotocol/tasks'

/** Where a result carries the task that the server made instead. Only this client writes it. */
const MARK = 'hintgate-agent/task'

/** A call that a server has not finished yet, or that waits for a person. */
export interface Task extends Json {
  readonly taskId: string
  readonly status: 'working' | 'input_required' | 'completed' | 'failed' | 'cancelled'
  /** A sentence about the state, for people. */
  readonly statusMessage?: string
  readonly createdAt?: string
  readonly ttlMs?: number | null
  readonly pollIntervalMs?: number
}

export function isTask(value: unknown): value is Task {
  return isJsonObject(value) && typeof value.taskId === 'string' && typeof value.status === 'string'
}

/**
 * Lets a task pass through the SDK's client, which rejects results of a type that it does not know and drops what they
 * contain. A task becomes an empty result that carries it.
 */
export function letTasksPass(transport: Transport): Transport {
  let receive: Transport['onmessage']
  Object.defineProperty(transport, 'onmessage', {
    configurable: true,
    get: () => receive,
    set: (handler: Transport['onmessage']) => {
      receive = handler && ((message, extra) => handler(asResult(message), extra))
    },
  })
  return transport
}

function asResult<T extends JSONRPCMessage>(message: T): T {
  const result = 'result' in message ? (message.result as unknown) : undefined
  if (!isJsonObject(result) || result.resultType !== 'task' || !isTask(result)) return message
  return { ...message, result: { resultType: 'complete', content: [], _meta: { [MARK]: result } } }
}

/** Returns the task that a result carries. */
export function taskIn({ _meta }: Json): Task | undefined {
  const task = isJsonObject(_meta) ? _meta[MARK] : undefined
  return isTask(task) ? task : undefined
}
