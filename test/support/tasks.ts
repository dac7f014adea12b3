import { setTimeout as sleep } from 'node:timers/promises'
import { address, run, serverFile } from './processes.ts'
import type { Json, Message, ModernClient } from './raw-mcp.ts'

/** Shared by the tests of tasks. */

export const KNOWS_TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } }

const OVER = new Set(['completed', 'failed', 'cancelled'])

/** The task that a call became; throws if it did not become one. */
export function taskOf({ result, error }: Message): Json & { readonly taskId: string } {
  if (result?.resultType !== 'task' || typeof result.taskId !== 'string')
    throw new Error(`this is no task: ${JSON.stringify(error ?? result).slice(0, 1000)}`)
  return result as Json & { readonly taskId: string }
}

/** The approval that a new task waits for. */
export function approvalOf({ _meta }: Json): string {
  const meta = _meta as { 'io.hintgate/approval'?: { id: string } } | undefined
  return String(meta?.['io.hintgate/approval']?.id)
}

export async function getTask(client: ModernClient, taskId: string): Promise<Json> {
  const { result, error } = await client.request('tasks/get', { taskId })
  if (result === undefined) throw new Error(`no task: ${JSON.stringify(error)}`)
  return result
}

/** Asks for a task until it is over. */
export function endOfTask(client: ModernClient, taskId: string): Promise<Json> {
  return untilTask(client, taskId, ({ status }) => OVER.has(String(status)))
}

export async function untilTask(
  client: ModernClient,
  taskId: string,
  isReached: (task: Json) => boolean,
): Promise<Json> {
  for (;;) {
    const task = await getTask(client, taskId)
    if (isReached(task)) return task
    await sleep(50)
  }
}

/** Starts a server that makes tasks of its own, and returns its URL. */
export async function startTaskServer(): Promise<string> {
  return address(run(process.execPath, [serverFile('tasks.mjs')]))
}
