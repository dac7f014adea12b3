import type {
  CallVariant,
  Category,
  EffectiveRecord,
  RiskLevel,
  SessionRiskFactors,
  ToolConsequences,
} from '@hintgate/metadata'
import type { Json } from '../../protocol/messages.ts'
import type { Intent } from './intent.ts'

/** The complete input of a verdict. Nothing else must influence it: no clock, no store, no network. */
export interface Facts {
  readonly agent: { readonly id: string; readonly name: string; readonly kind: 'agent' | 'person' }
  readonly server: { readonly name: string; readonly trust: 'reviewed' | 'trusted' }
  readonly tool: ToolFacts
  readonly args: Json
  /** Data other than the arguments that the call sends to its server, such as `_meta`. */
  readonly others?: Json | undefined
  /** The client's description of itself, if it is forwarded to the server. */
  readonly client?: unknown
  readonly intent: Intent | undefined
  /** The toolset whose endpoint received the call. */
  readonly set?: string | undefined
  readonly session: SessionFacts
  /** Text that the agent has read and that asks for this call. Absent if no such text is known. */
  readonly origin?: OriginFacts | undefined
  /** True if, as far as is known, the call only reads, and no argument is an address that could receive data. */
  readonly isPlainRead?: boolean | undefined
  /** The time of the call, in milliseconds since the epoch. */
  readonly now: number
}

export interface SessionFacts {
  readonly id: string
  readonly riskFactors: SessionRiskFactors
  /** The risk factors of all the caller's sessions together. Set if `acrossSessions` is configured. */
  readonly across?: SessionRiskFactors | undefined
}

/** A passage in an earlier result that asks for a call like this one. */
export interface OriginFacts {
  /**
   * `target`: the passage contains a value that the call uses. `occasion`: the passage asks for exactly this call,
   * and the call has no value that the passage could contain. `kind`: the passage asks for some call of this kind.
   */
  readonly kind: 'target' | 'occasion' | 'kind'
  /**
   * The path of the argument whose value the passage contains, such as `recipients.0`. Empty unless `kind` is `target`.
   */
  readonly argument: string
  /** All values of the call that appear in passages asking for such a call. */
  readonly values: readonly string[]
  readonly server: string
  readonly tool: string
  readonly request: string
  readonly at: number
  /** The beginning of the passage. Only people see it, never agents. */
  readonly passage: string
}

/** What a request is for: a tool, a resource or a prompt. */
export type ThingKind = 'tool' | 'resource' | 'prompt'

export interface ToolFacts {
  /** Absent for a tool. A resource's name is its URI. */
  readonly kind?: ThingKind
  readonly name: string
  readonly title: string
  readonly variant: CallVariant
  readonly category: Category
  readonly riskLevel: RiskLevel
  readonly fingerprint: string
  readonly effective: EffectiveRecord
  readonly consequence: Pick<ToolConsequences, 'kinds' | 'targets'>
}

export type { Reason } from '@hintgate/metadata'
