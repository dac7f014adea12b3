import { assessTool, type CallVariant } from '@hintgate/metadata'
import type { Facts } from '../../facts/facts.ts'
import { compileGuardrails } from '../compile-guardrails.ts'
import type { GuardrailHit } from '../guardrail.ts'

export const NOON = Date.UTC(2026, 10, 16, 12)

interface Situation {
  readonly agent?: string
  readonly server?: string
  readonly tool?: string
  readonly variant?: CallVariant
  readonly category?: 'read' | 'write' | 'delete'
  readonly now?: number
}

/** Returns the facts of a call in which only the arguments matter. */
export function factsOf(args: unknown, situation: Situation = {}): Facts {
  const { agent = 'bot', server = 'mail', tool = 'send', variant = 'call_tool_write' } = situation
  const { effective } = assessTool({ name: tool, inputSchema: {} })
  return {
    agent: { id: `id-${agent}`, name: agent, kind: 'agent' },
    server: { name: server, trust: 'reviewed' },
    tool: {
      name: tool,
      title: tool,
      variant,
      category: situation.category ?? 'write',
      riskLevel: 2,
      fingerprint: 'f',
      effective,
      consequence: { kinds: [], targets: [] },
    },
    args: args as Facts['args'],
    intent: undefined,
    session: { id: 's', riskFactors: {} },
    now: situation.now ?? NOON,
  }
}

/** Returns the violations of one global rule. Throws if the rule itself is invalid. */
export function hitsOf(rule: unknown, args: unknown, situation?: Situation): readonly GuardrailHit[] {
  const { guardrails, problems } = compileGuardrails([
    { layer: 'global', path: ['guardrails'], rules: [rule] },
  ])
  if (problems.length > 0) throw new Error(JSON.stringify(problems))
  return guardrails.check(factsOf(args, situation))
}

/** Whether the rule lets the call through. */
export function passes(rule: unknown, args: unknown, situation?: Situation): boolean {
  return hitsOf(rule, args, situation).length === 0
}
