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
  /** The config at the start. */
  readonly config: Config
  /** The current config. */
  readonly oauth: () => Config['oauth']
  readonly tokens: Tokens
  /** The replica that has each session and parked call, if there are several behind one address. */
  readonly stamps: Stamps
  /** The surface at a path, if there is one *for this caller*. */
  findSurface(path: string, principal: Principal): Surface | undefined
  isReady(): boolean
  readonly admin: AdminDeps
  /** The queue for long bodies. */
  readonly longWork: LongWork
  readonly finishSignIn: FinishSignIn
  readonly answers: AnswerTaker
  /** A fault of the gateway; clients learn no details. */
  onError(error: unknown): void
  /** Adds the trace context from the headers to a message. Absent without tracing. */
  readonly adoptTrace?: AdoptTrace
}
