import type { WholeCall } from '../../api/client.ts'

type Asked = Pick<WholeCall, 'approval' | 'code'>

/** What the person who was asked said, as far as this call knows. One that waits names its approval as well. */
export function sayAnswer({ approval, code }: Asked): string | undefined {
  if (code === 'confirmation_required') return undefined
  if (code === 'confirmation_denied') return 'A person refused it'
  if (code === 'confirmation_expired') return 'Nobody approved it in time'
  return approval === undefined ? undefined : 'A person approved it'
}
