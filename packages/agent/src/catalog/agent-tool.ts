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

/** How a tool's relaxing hints are vouched for. `gateway` means: by the operator of a Hintgate gateway. */
export type Trust = 'reviewed' | 'trusted' | 'gateway'

/** A tool with its effective hints. */
export interface AgentTool {
  /** `server:tool`, the same with and without a gateway. */
  readonly id: string
  readonly server: string
  readonly name: string
  readonly title: string
  readonly description: string
  readonly inputSchema: Json
  /** The effective hints, under the specification's names. */
  readonly annotations: Readonly<Record<string, boolean>>
  /** All effective hints, each with its source. */
  readonly effective: EffectiveRecord
  readonly variant: CallVariant
  /**
   * A label for lists of tools. `Safe` means that the tool only reads, that a vouched source says so, and that its
   * calls need no approval.
   */
  readonly label: 'Safe' | 'Requires confirmation'
  readonly riskLevel: RiskLevel
  readonly category: Category
  readonly trust: Trust
  /** Whether the relaxing hints of the server count. */
  readonly isVouched: boolean
  readonly fingerprint: string
  /** Set if the tool was added or changed during the session and is not accepted yet. */
  readonly change?: Change
  /** The gateway itself asks a person before each call. */
  readonly gatewayAsks: boolean
  /** A template that describes a call in one line, if the server sent one. */
  readonly action?: string
  readonly findings: readonly Finding[]
  /** The definition as sent, with every field. */
  readonly definition: ToolDefinition
}
