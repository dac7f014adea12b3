import type { StoredApproval } from '../store/approval-store.ts'

/**
 * Returns the stored state, or `expired` if the approval was not answered in time, or was approved but not used in
 * time.
 */
export function currentState(
  { state, expiresAt }: Pick<StoredApproval, 'state' | 'expiresAt'>,
  now: number,
): StoredApproval['state'] | 'expired' {
  const canEnd = state === 'pending' || state === 'approved' || state === 'standing'
  return canEnd && expiresAt <= now ? 'expired' : state
}
