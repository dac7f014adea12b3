import type { Registry } from 'prom-client'
import type { Approvals } from '../../approvals/approvals.ts'
import type { Explanation } from '../../call/explain-call.ts'
import type { Catalog } from '../../catalog/catalog.ts'
import type { Overrides } from '../../catalog/overrides.ts'
import type { Config } from '../../config/config.ts'
import type { EventHub } from '../../events/event-hub.ts'
import type { IncomingCall } from '../../exchange/incoming-call.ts'
import type { Rules } from '../../policy/rules.ts'
import type { ToolFinder } from '../../search/tool-finder.ts'
import type { Store } from '../../store/store.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import type { UpstreamServer } from '../../upstream/upstream-server.ts'

export interface AdminDeps {
  readonly hub: EventHub
  /** Made when first asked for: most gateways are never asked. */
  readonly metrics: () => Promise<Pick<Registry, 'contentType' | 'metrics'>>
  readonly version: string
  readonly store: Store
  /** Of which all secrets of ours are made. */
  readonly key: Buffer
  readonly tokens: Tokens
  readonly catalog: Catalog
  readonly finder: ToolFinder
  readonly overrides: Overrides
  readonly approvals: Approvals
  /** As they are now. */
  readonly config: () => Config
  readonly rules: () => Rules
  readonly servers: () => readonly UpstreamServer[]
  /** When everything that was said about tools has been taken to heart. */
  readonly settled: () => Promise<unknown>
  /** What would become of a call, under the rules in force or others. */
  explain(call: IncomingCall, rules?: Rules): Promise<Explanation>
  stderrOf(server: string): readonly string[]
  /** False if there is no such server. */
  restart(server: string): boolean
  /** Where to send a browser; undefined if nobody can sign in to that server. */
  signIn(server: string): Promise<string | undefined>
  readonly place: ConfigPlace
  /** A fault of ours; clients learn nothing of it. */
  onError(error: unknown): void
}

export interface ConfigPlace {
  /** Absent: there is no file. */
  readonly path?: string | undefined
  /** Hintgate's own folder; the usual one if absent. */
  readonly home?: string
  /** What paths in it are relative to. */
  readonly folder: string
  /** Reads it and puts it into force. Fails with what is wrong; what runs then stays in force. */
  reload(): Promise<void>
}
