import type { Catalog } from '../catalog/catalog.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Recorder } from './recorder.ts'

/** What the corridor needs around it. */
export interface CallDeps {
  readonly catalog: Catalog
  readonly recorder: Recorder
  readonly findServer: (name: string) => UpstreamServer | undefined
}
