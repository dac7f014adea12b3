import type { CallDetail } from '../../api/client.ts'

type Asked = Pick<CallDetail, 'approval' | 'code'>

/**
 * Describes the person's decision, as far as the call's record shows it. The id of an approval alone proves nothing,
 * because a call that still waits has one too.
 */
export function describeDecision({ approval, code }: Asked): string | undefined {
  if (code === 'confirmation_required') return undefined
  if (code === 'confirmation_denied') return 'Denied by a person'
  if (code === 'confirmation_expired') return 'Not approved in time'
  return approval === undefined ? undefined : 'Approved by a person'
}
