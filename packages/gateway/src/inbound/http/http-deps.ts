import type { AdminDeps } from '../../admin/http/admin-deps.ts'
import type { LongWork } from '../../admission/long-work.ts'
import type { Config } from '../../config/config.ts'
import type { Surface } from '../../exchange/surface.ts'
import type { Stamps } from '../../replicas/stamps.ts'
import type { Principal } from '../../scope/scope.ts'
import type { Tokens } from '../../tokens/tokens.ts'
import type { AdoptTrace } from './read-message.ts'
import type { FinishSignIn } from './sign-in-callback.ts'

export interface HttpDeps {
  /** As it was at the start. */
  readonly config: Config
  /** As the config has it now. */
  readonly oauth: () => Config['oauth']
  readonly tokens: Tokens
  /** Where sessions and parked calls live, when there are several gateways behind one address. */
  readonly stamps: Stamps
  /** The surface behind a path, if there is one *for this caller*. */
  findSurface(path: string, principal: Principal): Surface | undefined
  isReady(): boolean
  readonly admin: AdminDeps
  /** Where long bodies wait for each other. */
  readonly longWork: LongWork
  readonly finishSignIn: FinishSignIn
  /** A fault of ours; clients learn nothing of it. */
  onError(error: unknown): void
  /** Puts into a message what the headers say of the trace that it belongs to. Absent: nobody traces anything. */
  readonly adoptTrace?: AdoptTrace
}
