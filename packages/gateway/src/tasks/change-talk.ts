import type { TaskChange, TaskState } from '../store/task-store.ts'
import type { TaskDeps } from './task-deps.ts'
import type { Talk } from './task-vault.ts'

/** Others change a task's questions rarely, so a change succeeds after very few attempts. */
const ATTEMPTS = 20

interface Rewrite {
  readonly states: readonly TaskState[]
  readonly holder?: string
  /** Returns the new questions and answers, or undefined if they stay as they are. */
  readonly talk: (before: Talk, state: TaskState) => Talk | undefined
  /** Returns further changes that belong to the new questions and answers. */
  readonly more?: (after: Talk, state: TaskState) => TaskChange
}

/** Changes the questions and answers of a task, based on what other processes have written. */
export async function changeTalk(
  id: string,
  { states, holder, talk, more }: Rewrite,
  { store, vault }: TaskDeps,
): Promise<boolean> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const now = Date.now()
    const task = await store.find(id, now)
    if (task === undefined || !states.includes(task.state)) return false
    const after = talk(vault.talkOf(task), task.state)
    if (after === undefined) return false
    const change = { questions: vault.seal(after), updatedAt: now, ...more?.(after, task.state) }
    const condition = { states: [task.state], version: task.version, ...(holder && { holder }) }
    if (await store.change(id, condition, change)) return true
  }
  return false
}
