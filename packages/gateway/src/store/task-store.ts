/**
 * A call that outlives its request, as the protocol's Tasks extension defines it. The call, the questions and the
 * result are sealed, because they contain what the caller and the server said.
 */
export interface StoredTask {
  /** Cannot be guessed. Another caller's task is nevertheless unknown to a caller that knows its id. */
  readonly id: string
  readonly principal: string
  readonly state: TaskState
  /** The approval that the call waits for, or that allowed it. */
  readonly approval?: string
  readonly createdAt: number
  readonly updatedAt: number
  /** The time at which the task is deleted, whatever its state. */
  readonly expiresAt: number
  /** Increases with every change, so that a change can be based on what was read. */
  readonly version: number
  /** The process that runs the call, and the last time at which that process was seen. */
  readonly holder?: string
  readonly seenAt?: number
  /** The call as it came in, sealed. */
  readonly call: string
  /** Questions to the client and its answers so far, sealed. */
  readonly questions?: string
  /** The result or the error, sealed. */
  readonly ending?: string
  /** A sentence about the state, for the caller. */
  readonly note?: string
}

/**
 * What one caller can keep in tasks: calls that wait for a person or for a server after their request was answered, and
 * their results. More are refused; of finished tasks, the oldest are deleted first.
 */
export const TASK_LIMITS = {
  perCaller: { open: 100, over: 200, bytes: 64 * 1024 * 1024 },
  /** In characters. */
  longestResult: 4 * 1024 * 1024,
  /** How long a task is kept after it is over, and at most while a server works on it. */
  keptMs: 60 * 60_000,
  longestMs: 24 * 60 * 60_000,
} as const

/**
 * The states of a task:
 * - `waiting`: a person has to decide.
 * - `claimed`: a process has taken the call and has not sent it yet.
 * - `sent`: the call might have been executed, so it must not be sent again.
 * - `asking`: the server asked the client a question, and the call continues with the answer.
 * - `remote`: the server made a task of its own, and the gateway asks the server about it.
 * - `completed`, `failed`, `cancelled`: the task is over.
 */
export type TaskState = OpenTaskState | 'completed' | 'failed' | 'cancelled'
type OpenTaskState = 'waiting' | 'claimed' | 'sent' | 'asking' | 'remote'

export const OPEN_TASKS = ['waiting', 'claimed', 'sent', 'asking', 'remote'] as const

/** The conditions under which a task is changed. */
export interface TaskCondition {
  readonly states: readonly TaskState[]
  readonly holder?: string | undefined
  readonly version?: number
}

/** `undefined` removes a value; a member that is absent stays as it is. */
export type TaskChange = Partial<
  Pick<StoredTask, 'state' | 'approval' | 'updatedAt' | 'expiresAt' | 'seenAt' | 'call'> & {
    readonly [K in 'holder' | 'questions' | 'ending' | 'note']: StoredTask[K] | undefined
  }
>

/** How many tasks one caller can have, and how many bytes its open tasks, and the results of the others, can take. */
interface TaskQuota {
  readonly open: number
  readonly over: number
  readonly bytes: number
}

export interface TaskStore {
  /** Adds a task. Returns false if its caller has too many open tasks, or too long ones. */
  insert(task: StoredTask, quota: TaskQuota): Promise<boolean>
  /** Finds a task that has not expired, optionally only if it belongs to this caller. */
  find(id: string, now: number, principal?: string): Promise<StoredTask | undefined>
  /**
   * Changes a task if it meets the condition. Of several concurrent changes that leave the same state or version, only
   * one succeeds.
   */
  change(id: string, condition: TaskCondition, change: TaskChange): Promise<boolean>
  /** Records that the holder is still there, without notifying anyone. */
  renew(id: string, holder: string, now: number): Promise<void>
  /** Ids of waiting tasks whose approval is no longer pending, has expired or was deleted. */
  listDue(now: number): Promise<readonly string[]>
  /** The time at which the next approval of a waiting task expires. */
  nextExpiry(): Promise<number | undefined>
  /** The tasks that a process runs. */
  listHeld(): Promise<readonly StoredTask[]>
  /** Deletes a caller's oldest finished tasks beyond the quota. */
  trim(principal: string, quota: TaskQuota): Promise<void>
  /** Deletes the tasks that have expired. Returns how many there were. */
  removeExpired(now: number): Promise<number>
}
