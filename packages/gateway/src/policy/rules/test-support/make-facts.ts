import {
  categoryOf,
  consequencesOf,
  deriveVariant,
  type HintValues,
  type Operation,
  type RiskFactor,
  resolveEffective,
  riskLevelOf,
  type ServiceDomain,
} from '@hintgate/metadata'
import type { Json } from '../../../protocol/messages.ts'
import type { Facts } from '../../facts/facts.ts'

interface FactOptions {
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  readonly hints?: HintValues
  readonly operations?: readonly Operation[]
  readonly domains?: readonly ServiceDomain[]
  readonly args?: Json
  readonly intent?: Facts['intent']
  readonly riskFactors?: Readonly<Partial<Record<RiskFactor, 'declared' | 'assumed'>>>
  readonly origin?: Facts['origin']
  readonly now?: string
}

const NO_CALL = { tool: 'x:y', request: 'r', at: 0 }

/** Returns the facts of a call. A test gives only the facts that matter to it. */
export function makeFacts({
  agent = 'bot',
  server = 'crm',
  tool = 'read_note',
  ...options
}: FactOptions = {}): Facts {
  const { hints = {}, operations = [], domains = [], args = {}, riskFactors = {} } = options
  const effective = resolveEffective({
    declared: { hints, operations, serviceDomains: domains },
    vouched: true,
  })
  const variant = deriveVariant(effective)
  return {
    agent: { id: `id-${agent}`, name: agent, kind: 'agent' },
    server: { name: server, trust: 'reviewed' },
    tool: {
      name: tool,
      title: tool,
      variant,
      category: categoryOf(operations),
      riskLevel: riskLevelOf(variant),
      fingerprint: `${server}:${tool}`,
      effective,
      consequence: consequencesOf({ name: tool, inputSchema: { properties: args } }),
    },
    origin: options.origin,
    args,
    intent: options.intent,
    session: {
      id: 's',
      riskFactors: Object.fromEntries(
        Object.entries(riskFactors).map(([factor, basis]) => [factor, { ...NO_CALL, basis }]),
      ),
    },
    now: Date.parse(options.now ?? '2026-11-16T10:00:00Z'),
  }
}
