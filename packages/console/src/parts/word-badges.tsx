import type { ReactNode } from 'react'
import type { Server, Tool, Variant, Verdict } from '../api/client.ts'
import { Badge, type Tone } from './badge.tsx'

const VARIANTS: Readonly<Record<Variant, Tone>> = { read: 'info', write: 'warn', destructive: 'bad' }

export function VariantBadge({ variant }: { readonly variant: Variant }): ReactNode {
  return <Badge tone={VARIANTS[variant]}>{variant}</Badge>
}

const VERDICTS: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  allow: ['good', 'allowed'],
  confirm: ['warn', 'asked'],
  deny: ['bad', 'refused'],
}

export function VerdictBadge({ verdict }: { readonly verdict: Verdict }): ReactNode {
  const [tone, label] = VERDICTS[verdict]
  return <Badge tone={tone}>{label}</Badge>
}

const OUTCOMES: Readonly<Record<string, readonly [Tone, string]>> = {
  answered: ['good', 'answered'],
  tool_error: ['warn', 'tool error'],
  error: ['warn', 'protocol error'],
  refused: ['bad', 'refused'],
  failed: ['bad', 'failed'],
  asked: ['warn', 'asked'],
  cancelled: ['neutral', 'cancelled'],
  unknown: ['bad', 'unknown'],
  open: ['info', 'running'],
}

interface OutcomeProps {
  readonly outcome: string
  readonly code?: string | undefined
}

/** A call that only waits for a person is not refused for good. */
export function OutcomeBadge({ outcome, code }: OutcomeProps): ReactNode {
  const isWaiting = code === 'confirmation_required'
  const [tone, label] = OUTCOMES[isWaiting ? 'asked' : outcome] ?? ['neutral', outcome]
  return <Badge tone={tone}>{label}</Badge>
}

const STATES: Readonly<Record<Tool['state'], Tone>> = {
  approved: 'good',
  pending: 'warn',
  changed: 'warn',
  rejected: 'bad',
  disabled: 'neutral',
}

export function StateBadge({ state }: { readonly state: Tool['state'] }): ReactNode {
  return <Badge tone={STATES[state]}>{state}</Badge>
}

const HEALTH: Readonly<Record<Server['state'], readonly [Tone, string]>> = {
  ready: ['good', 'ready'],
  idle: ['neutral', 'idle'],
  starting: ['info', 'starting'],
  waiting: ['bad', 'down'],
  stopped: ['bad', 'stopped'],
  disabled: ['neutral', 'off'],
}

export function HealthBadge({ state }: { readonly state: Server['state'] }): ReactNode {
  const [tone, label] = HEALTH[state]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
