import type { Graduation, HintValues, Profile, TrifectaRule } from '@hintgate/metadata'
import type { AuditEntry } from './call/audit-entry.ts'
import type { Answer, Question } from './call/question.ts'
import type { AgentError } from './errors.ts'
import type { Json } from './json.ts'

/** The MCP revisions to use. `auto` asks the server, for which a stdio server is started twice. */
export type Era = 'auto' | 'legacy' | 'modern'

interface Direct {
  /**
   * The relaxing hints that count. `reviewed`: those of definitions whose fingerprint is approved. `trusted`: those
   * that the server declares when it is first connected.
   */
  readonly trust?: 'reviewed' | 'trusted'
  /** Fingerprints of approved definitions. */
  readonly approved?: readonly string[]
  /** Your own hints for tools, by tool name. They override the server's. */
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
  /** `sse`: the HTTP+SSE transport of 2024-11-05. */
  readonly type?: 'http' | 'sse'
}

/** All servers behind a Hintgate gateway. Its facts about tools are trusted. */
export interface GatewayServer {
  readonly gateway: string
  readonly token: string
}

export type ServerOptions = StdioServer | HttpServer | GatewayServer

/** The calls that need a person's approval. Same fields and defaults as in the gateway's config. */
export interface AgentRules extends Graduation {
  readonly trifecta: TrifectaRule
}

export interface RetryOptions {
  /** The maximum number of attempts, including the first. */
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
  /** How this program identifies itself to servers. */
  readonly name?: string
  /** The session's name at a gateway, so that the gateway counts risk for this session alone. */
  readonly session?: string
  /**
   * The user's request, in the user's words. A gateway that lets this token state tasks does not ask about values that
   * the request contains. It counts only if it is sent with the first call.
   */
  readonly task?: string
  readonly rules?: Partial<AgentRules>
  /** `spec` treats undeclared tools as destructive. */
  readonly profile?: Profile
  /** Asks a person. Without it, calls that need approval are refused. */
  readonly confirm?: (question: Question) => Answer | Promise<Answer>
  /** Answers a server's question during a call, in the form of `elicitation/create`. */
  readonly elicit?: (question: Elicitation) => Json | Promise<Json>
  /** Called for every call. A write is sent only after this callback has accepted the write's intent. */
  readonly audit?: (entry: AuditEntry) => void | Promise<void>
  /** Called for problems outside calls. */
  readonly onProblem?: (problem: AgentError) => void
  readonly retry?: Partial<RetryOptions>
  /**
   * The time limit for one call with all its attempts, in milliseconds. The time that people take to answer is not
   * counted.
   */
  readonly timeoutMs?: number
  /** The maximum age of a tool list, in milliseconds. An older list is refreshed before a call. */
  readonly recheckMs?: number
}
