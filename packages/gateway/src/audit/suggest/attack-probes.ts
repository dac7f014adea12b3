import { decide } from '../../policy/decide.ts'
import type { Facts } from '../../policy/facts/facts.ts'
import type { PolicySet } from '../../policy/rules/policy-set.ts'
import type { Rules } from '../../policy/rules.ts'
import type { Case } from '../../policy/step.ts'
import type { Json } from '../../protocol/messages.ts'
import { boundArguments, type Shape } from './shape.ts'

export type Probed =
  | { readonly kind: 'stopped'; readonly count: number }
  | { readonly kind: 'let through'; readonly why: string }

interface Probing {
  readonly shape: Shape
  /** The rule that is tried. */
  readonly set: PolicySet
  /** The rules in force. */
  readonly rules: Rules
  readonly now: number
}

const MOST_CALLS = 5

/**
 * Tries what an attacker would want instead of the approved calls: calls to the same tool with the attacker's value in
 * one of the arguments that the rule binds, as if text that the agent has read had named it. The whole verdict must
 * still ask about each of these calls. This needs no recorded attacks.
 */
export function findProbe(covered: readonly Facts[], { shape, set, rules, now }: Probing): Probed {
  const changed: Rules = {
    ...rules,
    policies: {
      ...rules.policies,
      waiversOf: facts => [...rules.policies.waiversOf(facts), ...set.waiversOf(facts)],
    },
  }
  const probes = covered.slice(0, MOST_CALLS).flatMap(facts => probesOf(facts, shape))
  for (const { facts, what } of probes) {
    const decision = decide({ ...facts, now, scope: EVERYTHING, claim: undefined }, changed)
    if (decision.verdict === 'allow' && decision.reasons.length > 0)
      return { kind: 'let through', why: `the rule would let ${what} through` }
  }
  return { kind: 'stopped', count: probes.length }
}

const EVERYTHING: Case['scope'] = {
  permissions: ['call_tool_read', 'call_tool_write', 'call_tool_destructive'],
  servers: ['*'],
}

interface Probe {
  readonly facts: Facts
  readonly what: string
}

function probesOf(facts: Facts, shape: Shape): readonly Probe[] {
  const bound = boundArguments(shape)
  const swapped = bound.flatMap(key =>
    attackersValues(facts.args[key]).map(value => ({
      facts: withOrigin({ ...facts, args: { ...facts.args, [key]: value } }, 'target', key),
      what: `another value of ${key}`,
    })),
  )
  const added = { ...facts.args, cc: 'attacker@evil.example' } satisfies Json
  return [
    ...swapped,
    {
      facts: withOrigin({ ...facts, args: added }, 'target', 'cc'),
      what: 'an argument that no approved call had',
    },
    { facts: withOrigin(facts, 'occasion', ''), what: 'a call that text in a result asks for as a whole' },
  ]
}

function withOrigin(facts: Facts, kind: 'target' | 'occasion', argument: string): Facts {
  const at = facts.now
  return {
    ...facts,
    origin: { kind, argument, values: [], server: 'web', tool: 'fetch', request: 'probe', at, passage: '' },
  }
}

const ATTACKER = 'attacker@evil.example'

/** Returns values that an attacker could choose instead: a different one, a look-alike, or a list with one more. */
function attackersValues(value: unknown): readonly unknown[] {
  if (Array.isArray(value)) return [[ATTACKER], [...value, ATTACKER]]
  if (typeof value === 'number') return [value + 1_000_000]
  if (typeof value === 'boolean') return [!value]
  if (typeof value !== 'string') return [ATTACKER]
  return [ATTACKER, `${value}.evil.example`, `${value},${ATTACKER}`, `../${value}`]
}
