import type { HintValues, Profile } from '@hintgate/metadata'
import type { LogSettings } from '../base/log-levels.ts'
import type { GuardrailSource } from '../policy/guardrails/guardrail.ts'
import type { ConfirmRules, ResultRules } from '../policy/rules.ts'
import type { Rate, Scope } from '../scope/scope.ts'
import type { OAuthConfig } from './schema/oauth-config.ts'
import type { OAuthSettings } from './schema/oauth-settings.ts'

/** The configuration after parsing: every default filled in, every secret resolved, every path absolute. */
export interface Config {
  readonly listen: { readonly host: string; readonly port: number }
  /** `sqlite:/absolute/path` or `postgres://…`. */
  readonly store: string
  readonly profile: Profile
  readonly intent: 'strict' | 'warn' | 'off'
  readonly quarantine: boolean
  readonly confirm: ConfirmConfig
  readonly servers: readonly ServerConfig[]
  readonly agentTokens: readonly AgentTokenConfig[]
  /** Whose access tokens are accepted besides our own. */
  readonly oauth?: OAuthConfig
  /** server → tool → hints. */
  readonly overrides: Readonly<Record<string, Readonly<Record<string, HintValues>>>>
  readonly policies: readonly string[]
  readonly policyDefault: 'allow' | 'deny'
  readonly guardrails: readonly GuardrailSource[]
  readonly results: ResultRules
  readonly audit: {
    /** Whether reads go on when nothing can be recorded. Everything else stops. */
    readonly failOpenReads: boolean
  }
  /** By server. */
  readonly serverRules: Readonly<Record<string, ServerRules>>
  readonly limits: Limits
  /** Where other replicas on the same store reach this one, such as `http://10.0.0.5:4428`. */
  readonly advertise?: string
  /** Host names under which the gateway may be addressed, besides loopback and `listen`. */
  readonly allowedHosts: readonly string[]
  /** Origins of browsers that may call, besides the gateway's own. */
  readonly allowedOrigins: readonly string[]
  /** A proxy in front terminates TLS. */
  readonly behindProxy: boolean
  readonly tls?: { readonly cert: string; readonly key: string }
  /** How long calls in flight may take to finish at shutdown. */
  readonly drainMs: number
  readonly log: LogSettings
  readonly telemetry: TelemetryConfig
}

export interface TelemetryConfig {
  /** Where a collector takes OTLP over HTTP; absent: nowhere, unless the environment says so. */
  readonly otlp?: string
  readonly headers: Readonly<Record<string, string>>
  readonly tracesPerSecond: number
  readonly metricsEveryMs: number
}

interface ConfirmConfig extends ConfirmRules {
  /** How long a question waits for its answer, and a yes for its call. */
  readonly validMs: number
  /** How long a call is held for somebody who is not behind its client. */
  readonly waitMs: number
}

/** What is laid down for one server's calls. Apart from the server itself: it need not start anew for these. */
export interface ServerRules {
  readonly rate?: Rate
  readonly results?: Partial<ResultRules>
}

export interface ServerConfig {
  readonly name: string
  readonly transport: TransportConfig
  readonly trust: 'reviewed' | 'trusted'
  readonly enabled: boolean
  /** Start at the first call instead of at once. */
  readonly lazy: boolean
  /** Longest a request may take, longest a server may take to start. */
  readonly timeoutMs: number
  readonly startTimeoutMs: number
  /** Calls running at once, and waiting for their turn. */
  readonly concurrency: number
  readonly queue: number
  /** `session`: every client session gets a connection (and for stdio a process) of its own. */
  readonly isolation: 'shared' | 'session'
  /** How many of those there may be at once, of all callers and of one. */
  readonly sessions: number
  readonly sessionsPerPrincipal: number
  /** What the server hears when it asks for roots: these, or what the agent behind a session of its own says. */
  readonly roots: 'client' | readonly string[]
  /** Methods that the protocol does not have and that are passed on. */
  readonly passMethods: readonly string[]
  /** `exclusive-writes`: within a session reads run together, and everything else runs alone. */
  readonly parallel: 'free' | 'exclusive-writes'
  /** Whether arguments are held against the tool's schema before a call is forwarded. */
  readonly checkArguments: boolean
  readonly retry: RetryConfig
}

/** How calls are repeated that got lost, where repeating does nothing more. */
export interface RetryConfig {
  /** How often a call is sent at most; 1 means never again. */
  readonly attempts: number
  /** The longest pause before the first repetition; it doubles with each, up to `maxDelayMs`. */
  readonly delayMs: number
  readonly maxDelayMs: number
  /** How many of all calls may be repeated: 0.2 is one in five. */
  readonly budget: number
}

interface ResourceLimits {
  readonly memoryBytes?: number
  readonly cpuMs?: number
  readonly openFiles?: number
  readonly processes?: number
}

/** What the process of a server sees of this machine; all paths are absolute. */
interface Sandbox {
  readonly network: boolean
  readonly read: readonly string[]
  readonly write: readonly string[]
  readonly cwd: string
}

export type TransportConfig =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      readonly cwd: string
      /** What its process may use at most. */
      readonly resources?: ResourceLimits
      readonly sandbox?: Sandbox
      /** What its entry takes from the environment and from files. */
      readonly confided?: readonly string[]
    }
  | {
      readonly kind: 'http' | 'sse'
      readonly url: string
      readonly headers: Readonly<Record<string, string>>
      /** How we get the token that it wants to see. */
      readonly oauth?: OAuthSettings
      readonly confided?: readonly string[]
    }

export interface AgentTokenConfig {
  readonly name: string
  readonly scope: Scope
  /**
   * Given in the config as `token` (usually `${env:…}`); without it `hintgate tokens` mints one for this
   * name.
   */
  readonly token?: string
  readonly expiresAt?: number
}

/** Every limit is on by default, has its own error, and can be changed. */
export interface Limits {
  readonly bodyBytes: number
  readonly headerBytes: number
  readonly batch: number
  readonly jsonDepth: number
  /** Of all JSON objects in one request; of lists and objects as many. */
  readonly members: number
  readonly sessions: number
  readonly sessionsPerPrincipal: number
  readonly sessionIdleMs: number
  readonly parkedCalls: number
  readonly parkedPerPrincipal: number
  readonly parkedMs: number
  /** Of agents, and as many again of people. */
  readonly streams: number
  readonly streamsPerPrincipal: number
  readonly streamBytes: number
  readonly concurrentCalls: number
  readonly callsPerPrincipal: number
  readonly bodyBytesPerPrincipal: number
  /** How long a request body, and a client that is to read, may stand still. */
  readonly bodyMs: number
  readonly unreadMs: number
  readonly unreadBytesPerPrincipal: number
  readonly unreadBytes: number
  readonly connections: number
  readonly resultBytes: number
  /** Longest result on the search surface, in characters; what is longer is kept and read page by page. */
  readonly answerChars: number
  readonly keptMs: number
  readonly keptBytesPerPrincipal: number
  readonly keptBytes: number
  /** Calls in one `call_tools_read`. */
  readonly batchReads: number
}
