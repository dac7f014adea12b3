import type { WholeCall } from '../../api/client.ts'

type Asked = Pick<WholeCall, 'approval' | 'code'>

/** What the person who was asked said, as far as this call knows. One that waits names its approval as well. */
export function sayAnswer({ approval, code }: Asked): string | undefined {
  if (code === 'confirmation_required') return undefined
  if (code === 'confirmation_denied') return 'Denied by a person'
  if (code === 'confirmation_expired') return 'Not approved in time'
  return approval === undefined ? undefined : 'Approved by a person'
}
