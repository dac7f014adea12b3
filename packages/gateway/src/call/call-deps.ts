import type { Catalog } from '../catalog/catalog.ts'
import type { ResultKeeper } from '../results/keep-results.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { SessionMemory } from '../verdict/session-memory.ts'
import type { IntentMode } from './decide.ts'
import type { Recorder } from './recorder.ts'
import type { Turns } from './turns.ts'

/** What the corridor needs around it. */
export interface CallDeps {
  readonly catalog: Catalog
  readonly recorder: Recorder
  readonly results: ResultKeeper
  readonly turns: Turns
  readonly sessions: SessionMemory
  readonly findServer: (name: string) => UpstreamServer | undefined
  /** As the config says now. */
  readonly intentMode: () => IntentMode
}
