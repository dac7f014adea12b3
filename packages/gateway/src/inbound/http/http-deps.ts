import type { AdminDeps } from '../../admin/http/admin-deps.ts'
import type { LongWork } from '../../admission/long-work.ts'
import type { Config } from '../../config/config.ts'
import type { Surface } from '../../exchange/surface.ts'
import type { Stamps } from '../../replicas/stamps.ts'
import type { Principal } from '../../scope/scope.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import type { AnswerTaker } from './answer-publicly.ts'
import type { AdoptTrace } from './read-message.ts'
import type { FinishSignIn } from './sign-in-callback.ts'

export interface HttpDeps {
  /** The config that the gateway started with. */
  readonly config: Config
  /** The current OAuth config; undefined if no issuer is configured. */
  readonly oauth: () => Config['oauth']
  readonly tokens: Tokens
  /**
   * Marks the ids of sessions and parked calls with the replica that has them, if several replicas share one address.
   */
  readonly stamps: Stamps
  /** Returns the surface at a path; undefined if there is none that this caller is allowed to use. */
  findSurface(path: string, principal: Principal): Surface | undefined
  isReady(): boolean
  readonly admin: AdminDeps
  /** The queue in which long bodies wait to be parsed. */
  readonly longWork: LongWork
  readonly finishSignIn: FinishSignIn
  readonly answers: AnswerTaker
  /** Reports an internal error to the operator; clients learn no details. */
  onError(error: unknown): void
  /** Adds the trace context from the headers to a message. Absent if tracing is off. */
  readonly adoptTrace?: AdoptTrace
}
