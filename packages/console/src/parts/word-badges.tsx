import type { ReactNode } from 'react'
import type { Server, Tool, Variant, Verdict } from '../api/client.ts'
import { OUTCOME_WORDS, type OutcomeWord, outcomeWordOf } from '../words/outcome-words.ts'
import { Badge, type Tone } from './badge.tsx'

const VARIANTS: Readonly<Record<Variant, Tone>> = { read: 'info', write: 'warn', destructive: 'bad' }

export function VariantBadge({ variant }: { readonly variant: Variant }): ReactNode {
  return <Badge tone={VARIANTS[variant]}>{variant}</Badge>
}

const VERDICTS: Readonly<Record<Verdict, readonly [Tone, string]>> = {
  allow: ['good', 'allow'],
  confirm: ['warn', 'confirm'],
  deny: ['bad', 'deny'],
}

export function VerdictBadge({ verdict }: { readonly verdict: Verdict }): ReactNode {
  const [tone, label] = VERDICTS[verdict]
  return <Badge tone={tone}>{label}</Badge>
}

const OUTCOMES: Readonly<Record<OutcomeWord, Tone>> = {
  answered: 'good',
  tool_error: 'warn',
  error: 'warn',
  refused: 'bad',
  waits: 'warn',
  failed: 'bad',
  asked: 'warn',
  cancelled: 'neutral',
  unknown: 'bad',
  open: 'info',
}

interface OutcomeProps {
  readonly outcome: string
  readonly code?: string | undefined
}

export function OutcomeBadge({ outcome, code }: OutcomeProps): ReactNode {
  const word = outcomeWordOf({ outcome, code })
  if (word === undefined) return <Badge tone="neutral">{outcome}</Badge>
  return <Badge tone={OUTCOMES[word]}>{OUTCOME_WORDS[word]}</Badge>
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
  disabled: ['neutral', 'disabled'],
}

export function HealthBadge({ state }: { readonly state: Server['state'] }): ReactNode {
  const [tone, label] = HEALTH[state]
  return (
    <Badge tone={tone} dot>
      {label}
    </Badge>
  )
}
