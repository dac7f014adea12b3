import type { Failure } from '../channel/channel.ts'
import { statusFailure, unauthorized } from './http-failures.ts'
import type { PostText } from './http-post.ts'

/** Supplies credentials for a server, and tries to get better ones if the server rejects them. */
export interface Authority {
  readonly authorization: string | undefined
  /** Advice for a person if there are no better credentials. */
  readonly remedy: string
  prepare(): Promise<void>
  /** Tries to get better credentials than the rejected ones. Resolves to true if there are any now. */
  renew(
    refused: string | undefined,
    challenge: { readonly status: number; readonly header: string | undefined },
  ): Promise<boolean>
}

/**
 * Returns the failure for a token that the server rejected: nothing was executed, and with a better token the request
 * might be executed.
 */
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
