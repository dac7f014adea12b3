import type { CallDetail } from '../../api/client.ts'

type Asked = Pick<CallDetail, 'approval' | 'code'>

/**
 * Describes what a person decided, as far as the call's record shows. The id of an approval alone proves nothing,
 * because a call that is still waiting has one too.
 */
export function describeDecision({ approval, code }: Asked): string | undefined {
  if (code === 'confirmation_required') return undefined
  if (code === 'confirmation_denied') return 'Denied by a person'
  if (code === 'confirmation_expired') return 'Not approved in time'
  return approval === undefined ? undefined : 'Approved by a person'
}
