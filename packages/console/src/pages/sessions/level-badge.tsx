import type { ReactNode } from 'react'
import type { Session } from '../../api/client.ts'
import { Badge, type Tone } from '../../parts/badge.tsx'

const LEVELS: Readonly<Record<Session['level'], readonly [Tone, string]>> = {
  none: ['good', 'no risk'],
  some: ['warn', 'some risk'],
  trifecta: ['bad', 'trifecta'],
}

export function LevelBadge({ level }: { readonly level: Session['level'] }): ReactNode {
  const [tone, label] = LEVELS[level]
  return <Badge tone={tone}>{label}</Badge>
}
