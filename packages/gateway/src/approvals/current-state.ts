import type { StoredApproval } from '../store/approval-store.ts'

/**
 * Returns the stored state, or `expired` if the approval was not answered in time, or was approved but not used in
 * time.
 */
export function currentState(
  { state, expiresAt, revokedAt }: Pick<StoredApproval, 'state' | 'expiresAt' | 'revokedAt'>,
  now: number,
): StoredApproval['state'] | 'expired' | 'revoked' {
  if (revokedAt !== undefined) return 'revoked'
  const canEnd = state === 'pending' || state === 'approved' || state === 'standing'
  return canEnd && expiresAt <= now ? 'expired' : state
}
