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

/**
 * The source of trust in a tool's relaxing hints: an approved fingerprint, a trusted server, or the operator of a
 * Hintgate gateway.
 */
export type Trust = 'reviewed' | 'trusted' | 'gateway'

/** A tool with its effective hints. */
export interface AgentTool {
  /** The id as `server:tool`, which is the same with and without a gateway. */
  readonly id: string
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Json
  /** The effective hints, with the specification's names. */
  readonly annotations: Readonly<Record<string, boolean>>
  /** All effective hints, each with its source. */
  readonly effective: EffectiveRecord
  readonly variant: CallVariant
  /**
   * A label for lists of tools. `Safe` means that the tool is vouched for as only reading, and that calls to it need no
   * approval.
   */
  readonly label: 'Safe' | 'Requires confirmation'
  readonly riskLevel: RiskLevel
  readonly category: Category
  readonly trust: Trust
  /** True if the server's relaxing hints count. */
  readonly isVouched: boolean
  readonly fingerprint: string
  /** Present if the tool was added or changed during the session and has not been accepted since. */
  readonly change?: Change
  /** True if the gateway itself asks a person before each call. */
  readonly gatewayAsks: boolean
  /** The template that describes a call in one line, if the server sent one. */
  readonly action?: string
  readonly findings: readonly Finding[]
  /** The definition as the server sent it, with every field. */
  readonly definition: ToolDefinition
}
