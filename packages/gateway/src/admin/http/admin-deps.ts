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
  /** Returns the metrics; created on first use, because most gateways never need them. */
  readonly metrics: () => Promise<Pick<Registry, 'contentType' | 'metrics'>>
  readonly version: string
  readonly store: Store
  /** The key that all of the gateway's secrets are derived from. */
  readonly key: Buffer
  readonly tokens: Tokens
  readonly catalog: Catalog
  readonly finder: ToolFinder
  readonly overrides: Overrides
  readonly approvals: Approvals
  /** The current config. */
  readonly config: () => Config
  readonly rules: () => Rules
  readonly servers: () => readonly UpstreamServer[]
  /** Resolves when all reported tool changes have been processed. */
  readonly settled: () => Promise<unknown>
  /** Explains the verdict on a call, under the current rules or under others. */
  explain(call: IncomingCall, rules?: Rules): Promise<Explanation>
  stderrOf(server: string): readonly string[]
  /** Restarts a server. Returns false if the server does not exist. */
  restart(server: string): boolean
  /** Begins a sign-in and returns the URL for the browser; undefined if the server has no sign-in. */
  signIn(server: string): Promise<string | undefined>
  readonly place: ConfigPlace
  readonly push: PushDesk
  /** Reports an internal error; clients get no details. */
  onError(error: unknown): void
}

/** Keeps the browsers that subscribed to approval notifications. */
interface PushDesk {
  /** Returns the public key with which a browser subscribes; undefined if the config has no channel for browsers. */
  publicKey(): Promise<string | undefined>
  subscribe(
    person: string,
    subscription: {
      readonly endpoint: string
      readonly keys: { readonly p256dh: string; readonly auth: string }
    },
  ): Promise<void>
  unsubscribe(person: string, endpoint: string): Promise<boolean>
}

export interface ConfigPlace {
  /** The path of the config file; undefined if there is none. */
  readonly path?: string | undefined
  /** Hintgate's own folder; undefined for the default. */
  readonly home?: string
  /** The folder that relative paths in the config start from. */
  readonly folder: string
  /** Loads and applies the file. If it has problems, throws them and leaves the running config in force. */
  reload(): Promise<void>
}
