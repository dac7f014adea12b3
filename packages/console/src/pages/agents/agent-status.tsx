import type { ReactNode } from 'react'
import type { Agent } from '../../api/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'

const TONES: Readonly<Record<Agent['status'], Tone>> = {
  active: 'good',
  configured: 'good',
  expired: 'neutral',
  revoked: 'bad',
  'without token': 'warn',
}

export function AgentStatus({ status }: { readonly status: Agent['status'] }): ReactNode {
  return <Badge tone={TONES[status]}>{status}</Badge>
}
