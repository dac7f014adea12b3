import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compileGuardrails } from './compile-guardrails.ts'
import type { GuardrailSource } from './guardrail.ts'
import { RULE_KINDS } from './registry.ts'
import { factsOf, hitsOf, passes } from './test-support/facts-of.ts'
import { ONE_OF_EACH } from './test-support/one-of-each.ts'

const GLOBAL: GuardrailSource = { layer: 'global', path: ['guardrails'], rules: [] }

function problemsOf(...rules: readonly unknown[]) {
  return compileGuardrails([{ ...GLOBAL, rules }]).problems
}

describe('compileGuardrails()', () => {
  it('knows every documented rule', () => {
    expect(problemsOf(...ONE_OF_EACH)).toEqual([])
    expect(ONE_OF_EACH.map(({ rule }) => rule).sort()).toEqual([...RULE_KINDS.keys()].sort())
  })

  it('lists every problem with its path and a fix', () => {
    const problems = problemsOf(
      { rule: 'max_recipient', max: 2 },
      { rule: 'max_recipients', maximum: 2 },
      { rule: 'allow_domains', field: 'to', domians: ['example.com'], variants: ['reads'] },
      { rule: 'block_pattern', pattern: '(?=a)' },
      { rule: 'content_length' },
      'no_rule',
      {},
    )
    expect(problems).toContainEqual({
      path: ['guardrails', 0, 'rule'],
      message: 'unknown rule',
      fix: 'did you mean "max_recipients"?',
    })
    expect(problems).toContainEqual({
      path: ['guardrails', 2, 'domians'],
      message: 'unknown key',
      fix: 'did you mean "domains"?',
    })
    expect(problems.map(({ path }) => path.join('.'))).toEqual([
      'guardrails.0.rule',
      'guardrails.1.max',
      'guardrails.1.maximum',
      'guardrails.2.variants.0',
      'guardrails.2.domains',
      'guardrails.2.domians',
      'guardrails.3.pattern',
      'guardrails.4',
      'guardrails.4',
      'guardrails.5',
      'guardrails.6',
    ])
    expect(problems.every(({ fix, message }) => fix.length > 5 && message.length > 5)).toBe(true)
  })

  it('refuses rules that could never match', () => {
    expect(problemsOf({ rule: 'allow_domains', domains: ['exa mple'] })).toHaveLength(1)
    expect(problemsOf({ rule: 'keyword_block', keywords: [] })).toHaveLength(1)
    expect(problemsOf({ rule: 'time_window', timezone: 'Mars/Base' })).toHaveLength(1)
    expect(problemsOf({ rule: 'max_value', field: 'a..b', max: 1 })).toHaveLength(1)
    expect(problemsOf({ rule: 'require_approval', effect: 'deny' })).toHaveLength(1)
    expect(problemsOf({ rule: 'rate_limit', limit: 1, window: 'soon' })).toHaveLength(1)
  })
})

describe('the calls that a rule applies to', () => {
  const rule = {
    rule: 'require_approval',
    agents: ['b*'],
    servers: ['mail'],
    tools: ['mail:send*'],
    variants: ['write'],
  }

  it('match all its selectors', () => {
    expect(passes(rule, {})).toBe(false)
    expect(passes(rule, {}, { agent: 'ann' })).toBe(true)
    expect(passes(rule, {}, { server: 'crm' })).toBe(true)
    expect(passes(rule, {}, { tool: 'read' })).toBe(true)
    expect(passes(rule, {}, { variant: 'call_tool_read' })).toBe(true)
  })

  it('match its layer, from global to tool', () => {
    const rules = [{ rule: 'require_approval' }]
    const { guardrails } = compileGuardrails([
      { layer: 'tool', server: 'mail', tools: ['send'], path: ['t'], rules },
      { layer: 'server', server: 'mail', path: ['s'], rules },
      { layer: 'agent', agent: 'bot', path: ['a'], rules },
      { layer: 'global', path: ['g'], rules },
    ])
    const sourcesOf = (situation: Parameters<typeof factsOf>[1]) =>
      guardrails.check(factsOf({}, situation)).map(({ reason }) => reason.source)
    expect(guardrails.size).toBe(4)
    expect(sourcesOf({})).toEqual(['config g[0]', 'config a[0]', 'config s[0]', 'config t[0]'])
    expect(sourcesOf({ agent: 'ann' })).toEqual(['config g[0]', 'config s[0]', 'config t[0]'])
    expect(sourcesOf({ server: 'crm' })).toEqual(['config g[0]', 'config a[0]'])
    expect(sourcesOf({ tool: 'read' })).toEqual(['config g[0]', 'config a[0]', 'config s[0]'])
  })

  it('are confirmed instead of denied with effect confirm, with the operator’s reason', () => {
    const [hit] = hitsOf(
      { rule: 'secret_detect', effect: 'confirm', reason: 'ask Ada' },
      { a: 'password="hunter2x1"' },
    )
    expect(hit).toMatchObject({ effect: 'confirm', reason: { text: expect.stringContaining('(ask Ada)') } })
  })
})

describe('rate limits', () => {
  it('are returned for the caller to count', () => {
    const rules = [{ rule: 'rate_limit', limit: 5, window: '1m', per: ['agent', 'tool'], tools: ['send'] }]
    const { guardrails } = compileGuardrails([{ ...GLOBAL, rules }])
    expect(guardrails.check(factsOf({}))).toEqual([])
    const [rate] = guardrails.ratesOf(factsOf({}))
    expect(rate).toMatchObject({ limit: 5, windowMs: 60_000, reason: { rule: 'guardrail.rate_limit' } })
    expect(guardrails.ratesOf(factsOf({}, { agent: 'ann' }))[0]?.key).not.toBe(rate?.key)
    expect(guardrails.ratesOf(factsOf({ other: 1 }))[0]?.key).toBe(rate?.key)
    expect(guardrails.ratesOf(factsOf({}, { tool: 'read' }))).toEqual([])
  })
})

describe('a check of arbitrary arguments', () => {
  const { guardrails } = compileGuardrails([{ ...GLOBAL, rules: ONE_OF_EACH }])

  it('never throws and never quotes a value', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 6 }), fc.string({ minLength: 12 }), (value, text) => {
        // No built-in reason contains this marker.
        const marked = `§${text}`
        const hits = guardrails.check(
          factsOf({ a: value, to: marked, deep: [{ to: marked }], [marked]: value }),
        )
        expect(JSON.stringify(hits)).not.toContain('§')
      }),
      { numRuns: 300 },
    )
  })

  it('gives short reasons even for long keys', () => {
    const hits = guardrails.check(
      factsOf({ ['.'.repeat(500_000)]: { to: 'x@evil.example', url: 'https://evil.example' } }),
    )
    expect(hits.length).toBeGreaterThan(3)
    for (const { reason } of hits) expect(reason.text.length).toBeLessThan(1000)
  })

  it('accepts arguments that are not an object', () => {
    fc.assert(
      fc.property(fc.anything({ withNullPrototype: true, withBigInt: true, withDate: true }), value => {
        guardrails.check(factsOf(value))
        guardrails.ratesOf(factsOf(value))
      }),
      { numRuns: 300 },
    )
  })

  it('denies more values than the limit, and endless nesting', () => {
    let deep: unknown = 'x@evil.com'
    for (let depth = 0; depth < 50_000; depth += 1) deep = { deep }
    expect(passes({ rule: 'keyword_block', keywords: ['q'] }, { deep })).toBe(false)
    const many = Array.from({ length: 30_000 }, () => 'a')
    expect(passes({ rule: 'keyword_block', keywords: ['q'] }, { many })).toBe(false)
  })
})

describe('client information', () => {
  const rules = [
    { rule: 'keyword_block', keywords: ['nightfall'] },
    { rule: 'pii_detect' },
    { rule: 'content_length', max: 40 },
  ]
  const open = () => compileGuardrails([{ ...GLOBAL, rules }]).guardrails
  const asked = (client: unknown, tool = 'send') => ({ ...factsOf({ text: 'hello' }, { tool }), client })

  it.each([
    { name: 'project Nightfall', version: '1' },
    { name: 'x', title: 'Nightfall', version: '1' },
    { name: 'x', version: '4111.1111.1111.1111' },
    { name: 'x', version: '1', more: { of: ['it', 'nightfall'] } },
    'nightfall',
  ])('is checked, also after a harmless one: %j', client => {
    const guardrails = open()
    const plain = { name: 'x', version: '1' }
    for (const told of [plain, { ...plain }]) {
      expect(guardrails.check(asked(told))).toEqual([])
      for (const hits of [guardrails.check(asked(client)), guardrails.checkTexts(asked(client))]) {
        expect(hits.map(({ reason }) => reason.text)).toEqual([expect.stringContaining('"_meta.clientInfo')])
        expect(JSON.stringify(hits)).not.toMatch(/nightfall|4111/i)
      }
    }
  })

  it('is checked by the rules of each call, even if other rules passed it', () => {
    const only = [{ rule: 'keyword_block', keywords: ['nightfall'], tools: ['send'] }]
    const { guardrails } = compileGuardrails([{ ...GLOBAL, rules: only }])
    const client = { name: 'Nightfall', version: '1' }
    expect(guardrails.check(asked(client, 'list'))).toEqual([])
    expect(guardrails.check(asked(client, 'send'))).toHaveLength(1)
  })

  it('is checked when another rule only asks', () => {
    const asking = [...rules, { rule: 'require_approval' }]
    const { guardrails } = compileGuardrails([{ ...GLOBAL, rules: asking }])
    const effectsFor = (name: string) =>
      guardrails.check(asked({ name, version: '1' })).map(({ effect }) => effect)
    expect(effectsFor('plain')).toEqual(['confirm'])
    expect(effectsFor('plain')).toEqual(['confirm'])
    expect(effectsFor('nightfall')).toEqual(['confirm', 'deny'])
  })

  it('is not counted by rules on arguments', () => {
    const client = { name: 'a name of some length', version: '1.2.3', title: 'and a title besides' }
    expect(open().check(asked(client))).toEqual([])
  })
})
