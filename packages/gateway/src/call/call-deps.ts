import type { LongWork } from '../admission/long-work.ts'
import type { Turns } from '../admission/turns.ts'
import type { Approvals } from '../approvals/approvals.ts'
import type { Sealer } from '../approvals/seal.ts'
import type { Recorder } from '../audit/entry.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { CallTasks } from '../exchange/call-tasks.ts'
import type { Rules } from '../policy/rules.ts'
import type { PassageMemory } from '../provenance/passage-memory.ts'
import type { ResultKeeper } from '../results/kept/keep-results.ts'
import type { Searcher } from '../results/searcher.ts'
import type { Principal, Scope } from '../scope/scope.ts'
import type { SessionMemory } from '../sessions/session-memory.ts'
import type { StoredApproval } from '../store/approval-store.ts'
import type { RateStore } from '../store/store.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'

/** The parts of the gateway that the steps of a call use. */
export interface CallDeps {
  readonly catalog: Catalog
  readonly recorder: Recorder
  readonly results: ResultKeeper
  readonly searcher: Searcher
  readonly turns: Turns
  readonly longWork: LongWork
  readonly rates: RateStore
  readonly sessions: SessionMemory
  readonly passages: PassageMemory
  readonly approvals: Approvals
  readonly sealer: Sealer
  readonly tasks: CallTasks
  /** Resolves to a caller's current scope, or undefined if its token is no longer valid. */
  readonly scopeNow: (principal: Principal) => Promise<Scope | undefined>
  /** True if the caller's scope is certainly unchanged since the caller was admitted. Answers without waiting. */
  readonly isAsBefore: (principal: Principal) => boolean
  readonly findServer: (name: string) => UpstreamServer | undefined
  /** The current rules of the config and the policies. */
  readonly rules: () => Rules
  /** True if the current config lets reads continue while the store is down. */
  readonly failOpenReads: () => boolean
  /**
   * How long a question to a person stays open, and how long a call waits for a person who is not the client's user.
   */
  readonly confirming: () => { readonly validMs: number; readonly waitMs: number }
  /** Called when a person is asked. */
  readonly onAsked?: (approval: StoredApproval) => void
}
