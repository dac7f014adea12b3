import type { WatchedTasks } from '../exchange/surface.ts'
import type { Json, Notification } from '../protocol/messages.ts'
import { TASK_LIMITS } from '../store/task-store.ts'
import { oneAtATime } from './one-at-a-time.ts'

interface Watching {
  /** Returns a task as the client sees it. Undefined if the task cannot be watched, or no longer exists. */
  readonly view: (id: string) => Promise<{ readonly version: number; readonly shown: Json } | undefined>
  readonly onNotification: (notification: Notification) => void
  readonly onChange: (listener: () => void) => () => void
  readonly onError: (error: unknown) => void
}

/** Sends a notification whenever one of the tasks has changed, with what `tasks/get` would answer. */
export async function watchTasks(
  wanted: readonly string[],
  { view, onNotification, onChange, onError }: Watching,
): Promise<WatchedTasks> {
  const seen = new Map<string, number>()
  for (const id of wanted.slice(0, TASK_LIMITS.perCaller.open)) {
    const found = await view(id)
    if (found !== undefined) seen.set(id, found.version)
  }
  const look = oneAtATime(async () => {
    for (const [id, version] of seen) {
      const found = await view(id)
      if (found === undefined || found.version === version) continue
      seen.set(id, found.version)
      onNotification({ jsonrpc: '2.0', method: 'notifications/tasks', params: found.shown })
    }
  }, onError)
  const stop = seen.size === 0 ? () => {} : onChange(look)
  // The tasks might have changed before the listener was added.
  if (seen.size > 0) setImmediate(look)
  return { ids: [...seen.keys()], stop }
}
