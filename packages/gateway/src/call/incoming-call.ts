import type { Catalog } from '../catalog/catalog.ts'
import type { Json } from '../protocol/messages.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import type { Exchange } from './exchange.ts'
import type { Recorder } from './recorder.ts'

/** A tool call as a door hands it in: the caller is known, the target is still a name. */
export interface IncomingCall {
  readonly exchange: Exchange
  readonly server: string
  readonly tool: string
  /** The tool as the caller wrote it, for messages. */
  readonly typed: string
  readonly params: Json
}

export interface CallDeps {
  readonly catalog: Catalog
  readonly recorder: Recorder
  readonly findServer: (name: string) => UpstreamServer | undefined
}
