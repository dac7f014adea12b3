import type {
  CallVariant,
  Category,
  EffectiveRecord,
  Finding,
  RiskLevel,
  ToolDefinition,
} from '@hintgate/metadata'
import type { Json } from '../json.ts'
import type { Change } from './pins.ts'

/** Who answers for what a server says of its tools; `gateway`: the operator of a Hintgate gateway. */
export type Trust = 'reviewed' | 'trusted' | 'gateway'

/** A tool with what it is worth. */
export interface AgentTool {
  /** `server:tool`, the same with a gateway and without. */
  readonly id: string
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Json
  /** The effective hints, under the names of the specification. */
  readonly annotations: Readonly<Record<string, boolean>>
  /** The same and more, each with its source. */
  readonly effective: EffectiveRecord
  readonly variant: CallVariant
  readonly riskLevel: RiskLevel
  readonly category: Category
  readonly trust: Trust
  /** Whether its relaxing hints count. */
  readonly isVouched: boolean
  readonly fingerprint: string
  /** It came or changed in the middle of the session, and nobody has said yes to that yet. */
  readonly change?: Change
  /** The gateway asks a person itself before each call. */
  readonly gatewayAsks: boolean
  /** Template of one line about a call, where the server gave one. */
  readonly action?: string
  readonly findings: readonly Finding[]
  /** As it was sent, with every field. */
  readonly definition: ToolDefinition
}
