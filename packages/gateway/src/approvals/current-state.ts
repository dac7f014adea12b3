import type { StoredApproval } from '../store/approval-store.ts'

/** The stored state, or `expired` if it was not answered in time, or approved and not used. */
export function currentState(
  { state, expiresAt }: Pick<StoredApproval, 'state' | 'expiresAt'>,
  now: number,
): StoredApproval['state'] | 'expired' {
  const canEnd = state === 'pending' || state === 'approved' || state === 'standing'
  return canEnd && expiresAt <= now ? 'expired' : state
}
