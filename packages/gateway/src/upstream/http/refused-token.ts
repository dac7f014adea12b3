import type { Failure } from '../channel/channel.ts'
import { statusFailure, unauthorized } from './http-failures.ts'
import type { PostText } from './http-post.ts'

/** Supplies the credentials for a server, and tries to get better ones if the server refuses them. */
export interface Authority {
  readonly authorization: string | undefined
  /** The advice for a person if there are no better credentials. */
  readonly remedy: string
  prepare(): Promise<void>
  /** Resolves to true if there are now better credentials than the refused ones. */
  renew(
    refused: string | undefined,
    challenge: { readonly status: number; readonly header: string | undefined },
  ): Promise<boolean>
}

/** The failure if a server refuses a token: it executed nothing, and may execute the request with a better token. */
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
