import type { StoredNotification } from '../store/notification-store.ts'
import type { DoctorFinding } from './finding.ts'

/** Failed messages older than this are no longer reported. */
const RECENT_MS = 24 * 60 * 60 * 1000

/** Reports, for each channel, the messages about approvals that no receiver accepted. The newest comes first. */
export function checkNotifications(
  failures: readonly StoredNotification[],
  now: number,
): readonly DoctorFinding[] {
  const recent = failures.filter(({ at }) => now - at < RECENT_MS)
  return [...new Set(recent.map(({ channel }) => channel))].map(channel => {
    const own = recent.filter(failure => failure.channel === channel)
    const [last] = own
    const count = own.length === 1 ? 'one message' : `${own.length} messages`
    const when = new Date(last?.at ?? 0).toISOString()
    return {
      code: 'notify_failed',
      level: 'warning',
      text: `notify ${channel}: ${count} about approvals could not be delivered within a day; the last at ${when}: ${last?.error ?? 'unknown'}`,
      fix: 'check the address and the secret of this channel in "notify" (docs/notify.md, "When a message does not arrive"); find the waiting approvals with hintgate approvals list',
    }
  })
}
