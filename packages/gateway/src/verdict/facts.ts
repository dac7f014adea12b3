import type { CallVariant, Category, EffectiveRecord, RiskLevel } from '@hintgate/metadata'
import type { Json } from '../protocol/messages.ts'
import type { Intent } from './intent.ts'
import type { SessionLegs } from './session-risk.ts'

/** Everything a verdict is made of. Nothing else may sway it: no clock, no store, no network. */
export interface Facts {
  readonly agent: { readonly id: string; readonly name: string; readonly kind: 'agent' | 'person' }
  readonly server: { readonly name: string; readonly trust: 'reviewed' | 'trusted' }
  readonly tool: ToolFacts
  readonly args: Json
  readonly intent: Intent | undefined
  readonly session: { readonly id: string; readonly legs: SessionLegs }
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface ToolFacts {
  readonly name: string
  readonly title: string
  readonly variant: CallVariant
  readonly category: Category
  readonly riskLevel: RiskLevel
  readonly fingerprint: string
  readonly effective: EffectiveRecord
}

/** One thing that a verdict rests on, for people and agents alike: never a secret, never an argument's value. */
export interface Reason {
  /** Stable name of the rule, such as `policy.no-mass-mail` or `guardrail.max_recipients`. */
  readonly rule: string
  /** Where the rule is from: a file and line, `config`, `token`, `tool`. */
  readonly source: string
  readonly text: string
}
