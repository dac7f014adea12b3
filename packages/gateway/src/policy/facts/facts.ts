import type {
  CallVariant,
  Category,
  EffectiveRecord,
  RiskLevel,
  SessionRiskFactors,
} from '@hintgate/metadata'
import type { Json } from '../../protocol/messages.ts'
import type { Intent } from './intent.ts'

/** Everything a verdict is made of. Nothing else may sway it: no clock, no store, no network. */
export interface Facts {
  readonly agent: { readonly id: string; readonly name: string; readonly kind: 'agent' | 'person' }
  readonly server: { readonly name: string; readonly trust: 'reviewed' | 'trusted' }
  readonly tool: ToolFacts
  readonly args: Json
  /** What else the call carries to its server. Absent: nothing. */
  readonly others?: Json | undefined
  /** What the server is told of the client, where it is told that. */
  readonly client?: unknown
  readonly intent: Intent | undefined
  readonly session: SessionFacts
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface SessionFacts {
  readonly id: string
  readonly riskFactors: SessionRiskFactors
  /** What all sessions of the caller have, where that counts as well. */
  readonly across?: SessionRiskFactors | undefined
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

export type { Reason } from '@hintgate/metadata'
