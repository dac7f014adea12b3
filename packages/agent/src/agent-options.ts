import type { Graduation, HintValues, Profile, TrifectaRule } from '@hintgate/metadata'
import type { AuditEntry } from './call/audit-entry.ts'
import type { Answer, Question } from './call/question.ts'
import type { AgentError } from './errors.ts'
import type { Json } from './json.ts'

/** Which MCP revisions are used. `auto` asks the server; a stdio server is started twice for that. */
export type Era = 'auto' | 'legacy' | 'modern'

interface Direct {
  /**
   * Which relaxing hints count. `reviewed`: those of definitions whose fingerprint is approved.
   * `trusted`: those that the server declares when it is first connected.
   */
  readonly trust?: 'reviewed' | 'trusted'
  /** Fingerprints of approved definitions. */
  readonly approved?: readonly string[]
  /** Your overrides, by tool. */
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

/** When a person is asked. Same fields and defaults as in the gateway's config. */
export interface AgentRules extends Graduation {
  readonly trifecta: TrifectaRule
}

export interface RetryOptions {
  /** All attempts, including the first. */
  readonly attempts: number
  readonly delayMs: number
  readonly maxDelayMs: number
}

/** A question of a server to the user during a call. */
export interface Elicitation {
  readonly server: string
  readonly params: Json
}

export interface AgentOptions {
  readonly servers: Readonly<Record<string, ServerOptions>>
  /** How this program identifies itself to servers. */
  readonly name?: string
  /** The session's name at a gateway, so that its risk is counted for this session alone. */
  readonly session?: string
  /**
   * What the user asked for, in the user's words. A gateway that lets this token state tasks does not ask about values in it. State it
   * before the first call: later ones are ignored.
   */
  readonly task?: string
  readonly rules?: Partial<AgentRules>
  /** `spec` treats undeclared tools as destructive. */
  readonly profile?: Profile
  /** Asks a person. Without it, calls that need approval are refused. */
  readonly confirm?: (question: Question) => Answer | Promise<Answer>
  /** Answers a server's question during a call, in the form of `elicitation/create`. */
  readonly elicit?: (question: Elicitation) => Json | Promise<Json>
  /** Called for every call. A write is sent only after this accepted its intent. */
  readonly audit?: (entry: AuditEntry) => void | Promise<void>
  /** Called for problems outside calls. */
  readonly onProblem?: (problem: AgentError) => void
  readonly retry?: Partial<RetryOptions>
  /** For one call with all its attempts, without the time that people take to answer. */
  readonly timeoutMs?: number
  /** The maximum age of a tool list. An older one is refreshed before a call. */
  readonly recheckMs?: number
}
