import type { Failure } from '../channel/channel.ts'
import { statusFailure, unauthorized } from './http-failures.ts'
import type { PostText } from './http-post.ts'

/** Who gets credentials for a server, and better ones when it refuses them. */
export interface Authority {
  readonly authorization: string | undefined
  /** What a person can do when nothing better is to be had. */
  readonly remedy: string
  prepare(): Promise<void>
  /** True when there is something better than what was refused. */
  renew(
    refused: string | undefined,
    challenge: { readonly status: number; readonly header: string | undefined },
  ): Promise<boolean>
}

/** The server does not accept a token: nothing was executed, and with a better one it may be. */
export function refusedToken(
  authority: Authority,
  refused: string | undefined,
  { status, text, challenge }: PostText,
): Failure {
  const renew = async (): Promise<Failure | undefined> => {
    try {
      const isBetter = await authority.renew(refused, { status, header: challenge })
      return isBetter ? undefined : unauthorized(authority.remedy)
    } catch (error) {
      return unauthorized(error instanceof Error ? error.message : String(error))
    }
  }
  return { ...statusFailure(status, text), notExecuted: { kind: 'renew-token', renew } }
}
