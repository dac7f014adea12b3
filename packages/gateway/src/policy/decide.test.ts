import {
  CALL_VARIANTS,
  type CallVariant,
  type HintName,
  type RiskFactorMark,
  riskLevelOf,
  type SessionRiskFactors,
  type Source,
} from '@hintgate/metadata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Permission } from '../scope/scope.ts'
import { type Decision, decide, explain } from './decide.ts'
import type { OriginFacts, Reason } from './facts/facts.ts'
import type { Claim } from './facts/intent.ts'
import type { IntentMode, Remember, Rules } from './rules.ts'
import type { Case } from './step.ts'

type Effect = 'allow' | 'confirm' | 'deny'
interface Hit {
  readonly effect: Effect
  readonly channel?: 'any' | 'person'
  readonly remember?: readonly Remember[]
}

/** A call and the rules, reduced to the facts that a verdict depends on. */
interface Situation {
  readonly variant: CallVariant
  readonly permissions: readonly Permission[]
  readonly claim: Claim | undefined
  readonly mode: IntentMode
  readonly hints: Readonly<Record<HintName, { readonly value: boolean; readonly source: Source }>>
  readonly riskFactors: SessionRiskFactors
  readonly policies: readonly Hit[]
  readonly fallback: 'allow' | 'deny'
  readonly guards: readonly Exclude<Effect, 'allow'>[]
  readonly confirm: Rules['confirm']
  readonly own: 'never' | 'always' | undefined
  /** The kind of text that asks for the call, if there is one. `isPlainRead` is about the call itself. */
  readonly origin: OriginFacts['kind'] | undefined
  readonly isPlainRead: boolean
}

const reason = (rule: string): Reason => ({ rule, source: 'test', text: rule })

function caseOf(situation: Situation): Case {
  const { variant, permissions, claim, hints, riskFactors, own, origin, isPlainRead } = situation
  const kind = variant.slice('call_tool_'.length)
  return {
    agent: { id: 'agent:a', name: 'a', kind: 'agent' },
    server: { name: 's', trust: 'reviewed' },
    tool: {
      name: 't',
      title: 'T',
      variant,
      category: 'write',
      riskLevel: 2,
      fingerprint: 'f',
      effective: hints,
    },
    args: {},
    intent: claim?.intent,
    session: { id: 'x', riskFactors },
    origin: origin && {
      kind: origin,
      argument: 'to',
      server: 's',
      tool: 't',
      request: 'r',
      at: 0,
      passage: 'p',
    },
    isPlainRead,
    now: 1000,
    scope: { permissions, servers: ['*'], ...(own === undefined ? {} : { confirm: { [kind]: own } }) },
    claim,
  } as unknown as Case
}

function rulesOf({ mode, policies, fallback, guards, confirm }: Situation): Rules {
  const order: Effect[] = ['deny', 'confirm', 'allow']
  const hits = order.flatMap(effect =>
    policies
      .filter(hit => hit.effect === effect)
      .map(hit => ({ ...hit, id: 'policy', reason: reason('policy') })),
  )
  return {
    version: 'v',
    intent: mode,
    confirm,
    policies: { fallback, evaluate: () => ({ hits }), waiversOf: () => [] },
    guardrails: {
      check: () => guards.map(effect => ({ effect, reason: reason('guardrail') })),
      size: 1,
      checkTexts: () => [],
      ratesOf: () => [],
    },
    results: () => {
      throw new Error('no step reads the rules for results')
    },
    rateOf: () => undefined,
  }
}

/** A slow reference implementation of the order of decisions in the design. */
function expected(situation: Situation): Pick<Decision, 'verdict'> & { code?: string; person?: boolean } {
  const { variant, permissions, claim, mode, hints, riskFactors, policies, fallback, guards, confirm, own } =
    situation
  const risk = riskLevelOf(variant)
  const used = claim === undefined ? risk : riskLevelOf(claim.variant)
  const needed = CALL_VARIANTS[Math.max(used, risk) - 1] ?? variant
  if (!permissions.includes(needed)) return { verdict: 'deny', code: 'permission_denied' }
  const operation = claim?.intent?.operation_type
  const said =
    operation === undefined ? used : Math.min(used, { read: 1, write: 2, destructive: 3 }[operation])
  if (claim !== undefined && said < risk && (mode === 'strict' || claim.isBinding === true))
    return { verdict: 'deny', code: 'intent_mismatch' }
  if (policies.some(({ effect }) => effect === 'deny')) return { verdict: 'deny', code: 'policy_denied' }
  if (fallback === 'deny' && !policies.some(({ effect }) => effect === 'allow'))
    return { verdict: 'deny', code: 'policy_denied' }
  if (guards.includes('deny')) return { verdict: 'deny', code: 'guardrail_blocked' }

  const known = (name: HintName): boolean => hints[name].source !== 'default'
  const external = known('egress') ? hints.egress.value : hints.openWorld.value && !hints.readOnly.value
  const brings = {
    private_data: hints.sensitive.value,
    untrusted_content: hints.openWorld.value,
    external_communication: external,
  }
  const names = ['private_data', 'untrusted_content', 'external_communication'] as const
  const has = (factor: (typeof names)[number]): boolean => riskFactors[factor] !== undefined || brings[factor]
  const isComplete = names.every(has)
  const isNew = names.some(factor => riskFactors[factor] === undefined)
  const isExercised = isComplete && (isNew || brings.external_communication)
  const hadSurely = (factor: (typeof names)[number]): boolean => riskFactors[factor]?.basis === 'declared'
  const isSure = hadSurely('private_data') && hadSurely('untrusted_content') && brings.external_communication
  const { trifecta } = confirm
  if (isExercised && trifecta === 'deny') return { verdict: 'deny', code: 'trifecta' }
  const risky = isExercised && (trifecta === 'always' || (trifecta === 'declared' && isSure))
  const isFinal = hints.egress.value && known('egress') && !hints.reversible.value
  const tainted =
    (!isComplete || (isExercised && !isSure && trifecta === 'declared')) &&
    isFinal &&
    riskFactors.untrusted_content?.basis === 'declared' &&
    trifecta !== 'off' &&
    trifecta !== 'warn'
  const kind = variant.slice('call_tool_'.length) as 'read' | 'write' | 'destructive'
  const graduated = (own ?? confirm[kind]) === 'always'
  const asking = policies.filter(({ effect }) => effect === 'confirm')
  const asksForKind = situation.origin === 'kind'
  const wanted =
    confirm.provenance !== 'off' &&
    !situation.isPlainRead &&
    situation.origin !== undefined &&
    (!asksForKind || confirm.provenance === 'strict')
  const others = guards.includes('confirm') || risky || tainted || wanted || graduated
  if (asking.length === 0 && !others) return { verdict: 'allow' }
  const person = confirm.channel === 'person' || asking.some(({ channel }) => channel === 'person')
  return { verdict: 'confirm', person }
}

const variant = fc.constantFrom(...CALL_VARIANTS)
const hint = fc.record({
  value: fc.boolean(),
  source: fc.constantFrom<Source>('declared', 'inferred', 'override', 'default'),
})
const factor = fc.constantFrom<RiskFactorMark | undefined>(
  undefined,
  { tool: 's:x', request: 'r', at: 1, basis: 'declared' },
  { tool: 's:y', request: 'q', at: 1, basis: 'assumed' },
)
const remember = fc.subarray<Remember>(['session', 'arguments'])
const mostly = <T>(common: T, other: fc.Arbitrary<T>) =>
  fc.oneof({ arbitrary: fc.constant(common), weight: 3 }, { arbitrary: other, weight: 1 })
const situation: fc.Arbitrary<Situation> = fc.record({
  variant,
  permissions: mostly<readonly Permission[]>([...CALL_VARIANTS], fc.subarray<Permission>([...CALL_VARIANTS])),
  claim: mostly<Claim | undefined>(
    undefined,
    fc.record({
      variant,
      intent: fc.constantFrom(
        undefined,
        { operation_type: 'read' as const },
        { operation_type: 'write' as const },
        { operation_type: 'destructive' as const },
      ),
      isBinding: fc.boolean(),
    }),
  ),
  mode: fc.constantFrom<IntentMode>('strict', 'warn', 'off'),
  hints: fc.record({
    readOnly: hint,
    destructive: hint,
    idempotent: hint,
    openWorld: hint,
    reversible: hint,
    egress: hint,
    sensitive: hint,
  }),
  riskFactors: fc
    .record({ private_data: factor, untrusted_content: factor, external_communication: factor })
    .map(
      riskFactors =>
        Object.fromEntries(
          Object.entries(riskFactors).filter(([, mark]) => mark !== undefined),
        ) as SessionRiskFactors,
    ),
  policies: mostly<readonly Hit[]>(
    [],
    fc.array(
      fc.record({
        effect: fc.constantFrom<Effect>('allow', 'allow', 'confirm', 'deny'),
        channel: fc.constantFrom('any' as const, 'person' as const),
        remember,
      }),
      { maxLength: 3 },
    ),
  ),
  fallback: mostly<'allow' | 'deny'>('allow', fc.constant('deny')),
  guards: mostly<readonly ('confirm' | 'deny')[]>(
    [],
    fc.array(fc.constantFrom('confirm', 'deny'), { maxLength: 2 }),
  ),
  confirm: fc.record({
    read: fc.constantFrom('never', 'always'),
    write: fc.constantFrom('never', 'always'),
    destructive: fc.constantFrom('never', 'always'),
    trifecta: fc.constantFrom('always', 'declared', 'warn', 'off', 'deny'),
    acrossSessions: fc.boolean(),
    provenance: fc.constantFrom('off', 'targets', 'strict'),
    channel: mostly<'any' | 'person'>('any', fc.constant('person')),
    remember,
    approvers: fc.constant([]),
  }),
  own: mostly<'never' | 'always' | undefined>(undefined, fc.constantFrom('never', 'always')),
  origin: mostly<OriginFacts['kind'] | undefined>(undefined, fc.constantFrom('target', 'occasion', 'kind')),
  isPlainRead: fc.boolean(),
})

describe('decide()', () => {
  it('gives the verdict of the slow reference in 10,000 random situations', () => {
    const seen = new Map<string, number>()
    fc.assert(
      fc.property(situation, given => {
        const decision = decide(caseOf(given), rulesOf(given))
        const wanted = expected(given)
        const got = {
          verdict: decision.verdict,
          ...(decision.verdict === 'deny' ? { code: decision.code } : {}),
          ...(decision.verdict === 'confirm' ? { person: decision.channel === 'person' } : {}),
        }
        expect(got).toEqual(wanted)
        const name = wanted.code ?? wanted.verdict
        seen.set(name, (seen.get(name) ?? 0) + 1)
        if (decision.verdict !== 'allow') expect(decision.reasons.length).toBeGreaterThan(0)
      }),
      { numRuns: 10_000 },
    )
    const names = ['allow', 'confirm', 'permission_denied', 'intent_mismatch', 'policy_denied']
    for (const name of [...names, 'guardrail_blocked', 'trifecta'])
      expect(seen.get(name), name).toBeGreaterThan(50)
  })

  const calm: Situation = {
    variant: 'call_tool_write',
    permissions: [...CALL_VARIANTS],
    claim: undefined,
    mode: 'strict',
    hints: {
      readOnly: { value: false, source: 'declared' },
      destructive: { value: false, source: 'declared' },
      idempotent: { value: false, source: 'default' },
      openWorld: { value: true, source: 'declared' },
      reversible: { value: false, source: 'default' },
      egress: { value: true, source: 'declared' },
      sensitive: { value: false, source: 'declared' },
    },
    riskFactors: {},
    policies: [],
    fallback: 'allow',
    guards: [],
    confirm: {
      read: 'never',
      write: 'never',
      destructive: 'always',
      trifecta: 'declared',
      acrossSessions: false,
      provenance: 'targets',
      channel: 'any',
      remember: ['session', 'arguments'],
      approvers: [],
    },
    own: undefined,
    origin: undefined,
    isPlainRead: false,
  }
  const mark = (tool: string): RiskFactorMark => ({
    tool,
    request: `req-of-${tool}`,
    at: 1,
    basis: 'declared',
  })

  it('names the calls that complete the trifecta', () => {
    const riskFactors = { private_data: mark('files:read'), untrusted_content: mark('web:fetch') }
    const given = { ...calm, riskFactors }
    const decision = decide(caseOf(given), rulesOf(given))
    expect(decision).toMatchObject({ verdict: 'confirm' })
    expect(decision.reasons.map(({ text }) => text)).toEqual([
      'private data: files:read (request req-of-files:read), declared',
      'untrusted content: web:fetch (request req-of-web:fetch), declared',
      'external communication: this call, declared',
    ])
  })

  it('names the argument that a text asked for, without quoting the text to the agent', () => {
    const given: Situation = { ...calm, origin: 'target' }
    const decision = decide(caseOf(given), rulesOf(given))
    expect(decision).toMatchObject({ verdict: 'confirm', origin: { argument: 'to', passage: 'p' } })
    expect(decision.reasons).toEqual([
      {
        rule: 'provenance.target',
        source: 'session',
        text: 'Text in the result of s:t 1 s ago asks for a call like this one and contains the value of `to`',
      },
    ])
  })

  it('remembers an approval only in ways that every asking rule permits', () => {
    const given: Situation = {
      ...calm,
      own: 'always',
      policies: [{ effect: 'confirm', remember: ['session'] }],
    }
    expect(decide(caseOf(given), rulesOf(given))).toMatchObject({ remember: ['session'] })
    const strict: Situation = { ...given, policies: [{ effect: 'confirm' }] }
    expect(decide(caseOf(strict), rulesOf(strict))).toMatchObject({ remember: [] })
  })

  it('never offers to remember a whole rule if a guardrail asks', () => {
    const given: Situation = {
      ...calm,
      confirm: { ...calm.confirm, destructive: 'never', remember: ['rule', 'arguments'] },
      guards: ['confirm'],
    }
    expect(decide(caseOf(given), rulesOf(given))).toMatchObject({ remember: ['arguments'] })
  })

  it('requires several people for the calls that the rules select, none of them at the client, and for one call only', () => {
    const approvers = [
      { consequences: ['pay'], count: 2 },
      { consequences: ['pay', 'access'], count: 3 },
    ] as const
    const given: Situation = { ...calm, own: 'always', confirm: { ...calm.confirm, approvers } }
    const about = caseOf(given)
    const leadingTo = (...kinds: readonly string[]) =>
      ({ ...about, tool: { ...about.tool, consequence: { kinds, targets: [] } } }) as Case
    const joint = { verdict: 'confirm', approvers: 3, channel: 'person', remember: [] }
    expect(decide(leadingTo('create', 'pay'), rulesOf(given))).toMatchObject(joint)
    const alone = decide(leadingTo('create'), rulesOf(given))
    expect(alone).toMatchObject({ verdict: 'confirm', channel: 'any', remember: ['session', 'arguments'] })
    expect(alone).not.toHaveProperty('approvers')
  })

  it('explains every step, including those after a deny', () => {
    const given: Situation = { ...calm, permissions: [], own: 'always', policies: [{ effect: 'deny' }] }
    const path = explain(caseOf(given), rulesOf(given))
    expect(path.map(({ step, result }) => [step, result.kind])).toEqual([
      ['scope', 'deny'],
      ['intent', 'pass'],
      ['policy', 'deny'],
      ['guardrails', 'pass'],
      ['session risk', 'pass'],
      ['provenance', 'pass'],
      ['confirmation', 'ask'],
    ])
  })
})
