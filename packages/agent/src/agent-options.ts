import type { Graduation, HintValues, Profile, TrifectaRule } from '@hintgate/metadata'
import type { AuditEntry } from './call/audit-entry.ts'
import type { Answer, Question } from './call/question.ts'
import type { AgentError } from './errors.ts'
import type { Json } from './json.ts'

/** Which revisions of MCP are spoken. `auto` asks the server; on stdio that starts it twice. */
export type Era = 'auto' | 'legacy' | 'modern'

interface Direct {
  /**
   * Who answers for the relaxing hints of its tools. `reviewed`: whoever approved a definition, by its fingerprint.
   * `trusted`: you, for whatever the server says when it is connected first.
   */
  readonly trust?: 'reviewed' | 'trusted'
  /** Fingerprints of definitions that somebody approved. */
  readonly approved?: readonly string[]
  /** What you know better than the server, tool by tool. */
  readonly overrides?: Readonly<Record<string, HintValues>>
  readonly era?: Era
}

/** A server that runs as a child of this process. */
export interface StdioServer extends Direct {
  readonly command: string
  readonly args?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly cwd?: string
  readonly stderr?: 'inherit' | 'ignore'
}

/** A server that is reached over HTTP. */
export interface HttpServer extends Direct {
  readonly url: string
  readonly headers?: Readonly<Record<string, string>>
  /** `sse`: the transport of 2024-11-05. */
  readonly type?: 'http' | 'sse'
}

/** Every server behind a Hintgate gateway. What it says of tools is believed, because you chose it. */
export interface GatewayServer {
  readonly gateway: string
  readonly token: string
}

export type ServerOptions = StdioServer | HttpServer | GatewayServer

/** When a person is asked. As in the gateway's config, with the same defaults. */
export interface AgentRules extends Graduation {
  readonly trifecta: TrifectaRule
}

export interface RetryOptions {
  /** All of them, with the first. */
  readonly attempts: number
  readonly delayMs: number
  readonly maxDelayMs: number
}

/** A question of a server to the user in the middle of a call. */
export interface Elicitation {
  readonly server: string
  readonly params: Json
}

export interface AgentOptions {
  readonly servers: Readonly<Record<string, ServerOptions>>
  /** How this program calls itself to servers. */
  readonly name?: string
  /** Names the session to a gateway, so that its risk is this session's and no other's. */
  readonly session?: string
  readonly rules?: Partial<AgentRules>
  /** `spec` takes undeclared tools for destructive. */
  readonly profile?: Profile
  /** Asks a person. Without one, whatever needs a yes is refused. */
  readonly confirm?: (question: Question) => Answer | Promise<Answer>
  /** Answers what a server asks in the middle of a call, as `elicitation/create` wants it. */
  readonly elicit?: (question: Elicitation) => Json | Promise<Json>
  /** Hears of every call. What is not a read is not sent before this has taken its intent. */
  readonly audit?: (entry: AuditEntry) => void | Promise<void>
  /** Something went wrong that no call waits for. */
  readonly onProblem?: (problem: AgentError) => void
  readonly retry?: Partial<RetryOptions>
  /** For one call with all its attempts, not counting the time that people take. */
  readonly timeoutMs?: number
  /** A list of tools that is older is looked at again before a call. */
  readonly recheckMs?: number
}
