import type { Graduation, HintValues, Profile, TrifectaRule } from '@hintgate/metadata'
import type { AuditEntry } from './call/audit-entry.ts'
import type { Answer, Question } from './call/question.ts'
import type { AgentError } from './errors.ts'
import type { Json } from './json.ts'

/** The MCP revisions to use. `auto` asks the server; a stdio server is started twice for that. */
export type Era = 'auto' | 'legacy' | 'modern'

interface Direct {
  /**
   * The relaxing hints that count. `reviewed`: only those in definitions whose fingerprint is approved. `trusted`: also
   * those that the server declares when it is first connected.
   */
  readonly trust?: 'reviewed' | 'trusted'
  /** The fingerprints of approved definitions. */
  readonly approved?: readonly string[]
  /** Your own hints, by tool name. They override the server's hints. */
  readonly overrides?: Readonly<Record<string, HintValues>>
  readonly era?: Era
}

/** A server that runs as a child process. */
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
  /** `sse` is the HTTP+SSE transport of protocol version 2024-11-05. */
  readonly type?: 'http' | 'sse'
}

/** All servers behind a Hintgate gateway. What the gateway says about tools is trusted. */
export interface GatewayServer {
  readonly gateway: string
  readonly token: string
}

export type ServerOptions = StdioServer | HttpServer | GatewayServer

/**
 * The rules that say which calls need a person's approval. The fields and defaults are the same as in the gateway's
 * config.
 */
export interface AgentRules extends Graduation {
  readonly trifecta: TrifectaRule
}

export interface RetryOptions {
  /** Maximum number of attempts, including the first. */
  readonly attempts: number
  readonly delayMs: number
  readonly maxDelayMs: number
}

/** A question that a server asks the user during a call. */
export interface Elicitation {
  readonly server: string
  readonly params: Json
}

export interface AgentOptions {
  readonly servers: Readonly<Record<string, ServerOptions>>
  /** The name by which this program identifies itself to servers. */
  readonly name?: string
  /** The name of this session at a gateway. The gateway then counts risk for this session separately. */
  readonly session?: string
  /**
   * The user's request, in the user's own words. It counts only if it is sent with the session's first call. If the
   * gateway lets this token state tasks, it does not ask about values that the request contains.
   */
  readonly task?: string
  readonly rules?: Partial<AgentRules>
  /** `spec` treats tools with undeclared hints as destructive. */
  readonly profile?: Profile
  /** Asks a person to approve a call. If it is absent, calls that need approval are refused. */
  readonly confirm?: (question: Question) => Answer | Promise<Answer>
  /** Answers a question that a server asks during a call, in the form of `elicitation/create`. */
  readonly elicit?: (question: Elicitation) => Json | Promise<Json>
  /** Called for every call. A write is sent only after this function has accepted the entry with the write's intent. */
  readonly audit?: (entry: AuditEntry) => void | Promise<void>
  /** Called for problems that do not belong to a call. */
  readonly onProblem?: (problem: AgentError) => void
  readonly retry?: Partial<RetryOptions>
  /** Time limit for a call with all its attempts, in milliseconds. Time spent waiting for people does not count. */
  readonly timeoutMs?: number
  /** Maximum age of a list of tools, in milliseconds. An older list is refreshed before a call. */
  readonly recheckMs?: number
}
