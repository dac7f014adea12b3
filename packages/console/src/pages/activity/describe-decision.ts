import type { CallDetail } from '../../api/client.ts'

type Asked = Pick<CallDetail, 'approval' | 'code'>

/** The decision of the person, as far as this call records it. A call that still waits also names its approval. */
export function describeDecision({ approval, code }: Asked): string | undefined {
  if (code === 'confirmation_required') return undefined
  if (code === 'confirmation_denied') return 'Denied by a person'
  if (code === 'confirmation_expired') return 'Not approved in time'
  return approval === undefined ? undefined : 'Approved by a person'
}
