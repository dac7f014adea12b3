import { describe, expect, it } from 'vitest'
import { parsePolicies } from './parse-policies.ts'
import { verdictOf } from './policy-set.ts'
import { makeFacts } from './test-support/make-facts.ts'

function load(rules: string, fallback: 'allow' | 'deny' = 'allow') {
  const { set, problems } = parsePolicies([{ path: 'p.yaml', text: `rules:\n${rules}` }], { fallback })
  expect(problems).toEqual([])
  return set
}

describe('createPolicySet()', () => {
  it('returns every matching rule: denies, then confirms, then allows', () => {
    const set = load(`
  - { id: a, effect: allow, reason: r }
  - { id: b, effect: confirm, reason: r }
  - { id: c, effect: deny, reason: r }
  - { id: d, effect: confirm, reason: r, tools: 'nothing*' }
  - { id: e, effect: deny, reason: r, when: size(args) == 0 }
`)
    expect(set.evaluate(makeFacts()).hits.map(({ id }) => id)).toEqual(['c', 'e', 'b', 'a'])
  })

  it('fills in the defaults of confirm rules', () => {
    const set = load('  - { id: b, effect: confirm, reason: r }')
    expect(set.evaluate(makeFacts()).hits[0]).toMatchObject({ channel: 'any', remember: [] })
  })

  it('denies if a condition fails, whatever the effect of its rule, and gives the rule and the cause', () => {
    const set = load('  - { id: small, effect: allow, when: args.size < 5, reason: r }')
    expect(set.evaluate(makeFacts({ args: { length: 's3cret' } })).hits).toEqual([
      {
        id: 'small',
        effect: 'deny',
        reason: {
          rule: 'policy.small',
          source: 'p.yaml:2',
          text: 'The condition of rule small (p.yaml:2) could not be evaluated, so the call is denied: `size` does not exist; test with has(…) first',
        },
      },
    ])
  })

  it('applies an override immediately, although the definition is the same', () => {
    const set = load('  - { id: x, effect: deny, hints: { destructive: true }, reason: r }')
    const before = makeFacts({ hints: { readOnly: true, destructive: false } })
    const after = makeFacts({ hints: { destructive: true } })
    expect(before.tool.fingerprint).toBe(after.tool.fingerprint)
    expect(set.evaluate(before).hits).toHaveLength(0)
    expect(set.evaluate(after).hits).toHaveLength(1)
  })

  it("does not match a `*` across the colon in a tool's id", () => {
    const set = load(`  - { id: x, effect: deny, tools: 'mail:*', reason: r }`)
    expect(set.evaluate(makeFacts({ server: 'mail', tool: 'send' })).hits).toHaveLength(1)
    expect(set.evaluate(makeFacts({ server: 'crm', tool: 'mail:send' })).hits).toHaveLength(0)
  })

  it('keeps any number of agents apart', () => {
    const set = load('  - { id: x, effect: deny, agents: a7, reason: r }')
    const call = makeFacts()
    const hits = (name: string) => set.evaluate({ ...call, agent: { ...call.agent, name } }).hits.length
    for (let i = 0; i < 3_000; i++) expect(hits(`a${i}`)).toBe(i === 7 ? 1 : 0)
    expect(hits('a7')).toBe(1)
  })
})

describe('verdictOf()', () => {
  const hit = (effect: 'allow' | 'confirm' | 'deny') => ({
    id: effect,
    effect,
    reason: { rule: '', source: '', text: '' },
  })

  it.each([
    [['deny', 'confirm', 'allow'], 'allow', 'deny'],
    [['confirm', 'allow'], 'allow', 'confirm'],
    [['confirm', 'allow'], 'deny', 'confirm'],
    [['confirm'], 'allow', 'confirm'],
    [['confirm'], 'deny', 'deny'],
    [['allow'], 'deny', 'allow'],
    [[], 'allow', 'allow'],
    [[], 'deny', 'deny'],
  ] as const)('of %j with default %s is %s', (effects, fallback, expected) => {
    expect(verdictOf({ hits: effects.map(hit) }, fallback).verdict).toBe(expected)
  })
})
