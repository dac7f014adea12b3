import type { ProcessMark } from '../base/process-mark.ts'
import type { CallDeps } from '../call/call-deps.ts'
import type { Watched } from '../call/steps.ts'
import type { Principal } from '../scope/scope.ts'
import type { Toolset } from '../sets/toolset.ts'
import type { TaskStore } from '../store/task-store.ts'
import type { TaskVault } from './task-vault.ts'

/** What the parts of this room share. */
export interface TaskDeps {
  readonly store: TaskStore
  readonly vault: TaskVault
  /** The steps that the call of a task takes, like any other call. */
  readonly corridor: () => CallDeps & Watched
  /** Calls the listener when any process might have changed something. Returns a function that removes the listener. */
  readonly onChange: (listener: () => void) => () => void
  /**
   * True if this gateway can check the principal's credential only while the caller uses it, so that an unknown
   * credential is not necessarily an invalid one.
   */
  readonly isForeign: (principal: Principal) => boolean
  /** The toolset with this name, if the config still has it. */
  readonly findSet: (name: string) => Toolset | undefined
  readonly onError: (error: unknown) => void
  readonly mark: ProcessMark
}
