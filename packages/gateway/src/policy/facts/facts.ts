import type {
  CallVariant,
  Category,
  EffectiveRecord,
  RiskLevel,
  SessionRiskFactors,
} from '@hintgate/metadata'
import type { Json } from '../../protocol/messages.ts'
import type { Intent } from './intent.ts'

/** The complete input of a verdict. Nothing else may influence it: no clock, no store, no network. */
export interface Facts {
  readonly agent: { readonly id: string; readonly name: string; readonly kind: 'agent' | 'person' }
  readonly server: { readonly name: string; readonly trust: 'reviewed' | 'trusted' }
  readonly tool: ToolFacts
  readonly args: Json
  /** Other data that the call sends to its server, such as `_meta`. */
  readonly others?: Json | undefined
  /** The client information that is forwarded to the server, if any is. */
  readonly client?: unknown
  readonly intent: Intent | undefined
  readonly session: SessionFacts
  /** Milliseconds since the epoch. */
  readonly now: number
}

export interface SessionFacts {
  readonly id: string
  readonly riskFactors: SessionRiskFactors
  /** The risk factors of all the caller's sessions, when `acrossSessions` is configured. */
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
