import { describe, expect, it } from 'vitest'
import { decide, explain } from './decide.ts'
import type { Facts } from './facts/facts.ts'
import { parsePolicies } from './rules/parse-policies.ts'
import { makeFacts } from './rules/test-support/make-facts.ts'
import type { ConfirmRules, Rules } from './rules.ts'
import type { Case } from './step.ts'

const FINGERPRINT = 'ab'.repeat(32)

const WAIVER = {
  id: 'quiet',
  effect: 'waive',
  waives: ['confirm.destructive'],
  agents: 'bot',
  tools: 'crm:delete_note',
  fingerprints: FINGERPRINT,
  author: 'ada',
  expires: '2026-12-01T00:00:00Z',
  reason: 'Always approved.',
}

function rulesWith(rules: readonly object[], confirm: Partial<ConfirmRules> = {}): Rules {
  const { set, problems } = parsePolicies([{ path: 'p.yaml', text: JSON.stringify({ rules }) }])
  expect(problems).toEqual([])
  return {
    version: '1',
    intent: 'warn',
    confirm: {
      read: 'never',
      write: 'never',
      destructive: 'always',
      trifecta: 'off',
      acrossSessions: false,
      provenance: 'targets',
      channel: 'any',
      remember: [],
      approvers: [],
      ...confirm,
    },
    policies: set,
    guardrails: { size: 0, check: () => [], checkTexts: () => [], ratesOf: () => [] },
    results: () => ({ schema: 'off', secrets: 'off', pii: 'off', hidden: 'off', instructions: 'off' }),
    rateOf: () => undefined,
  }
}

type Given = Parameters<typeof makeFacts>[0] & {
  readonly fingerprint?: string
  readonly own?: 'always'
  readonly permissions?: Case['scope']['permissions']
}

function caseOf({ fingerprint = FINGERPRINT, own, permissions, ...given }: Given = {}): Case {
  const facts: Facts = makeFacts({
    tool: 'delete_note',
    hints: { destructive: true, readOnly: false },
    ...given,
  })
  const scope = {
    permissions: permissions ?? ['call_tool_destructive' as const],
    servers: ['*'],
    ...(own === undefined ? {} : { confirm: { destructive: own } }),
  }
  return { ...facts, tool: { ...facts.tool, fingerprint }, scope, claim: undefined }
}

const ORIGIN: NonNullable<Facts['origin']> = {
  kind: 'target',
  argument: 'id',
  values: [],
  server: 'web',
  tool: 'fetch',
  request: 'r',
  at: 0,
  passage: '',
}

describe('a waiver', () => {
  it('removes the question that it names, and says whose it is and until when', () => {
    const rules = rulesWith([WAIVER])
    expect(decide(caseOf(), rules)).toEqual({
      verdict: 'allow',
      notes: [],
      reasons: [
        {
          rule: 'policy.quiet',
          source: 'p.yaml:1',
          text: 'not asked (confirm.destructive), because waiver quiet of ada applies until 2026-12-01T00:00:00Z',
        },
      ],
    })
    expect(explain(caseOf(), rules).at(-1)).toMatchObject({ step: 'waivers', result: { kind: 'note' } })
  })

  it.each<[string, Given, Partial<typeof WAIVER>?, Partial<ConfirmRules>?]>([
    ['after it has expired', { now: '2026-12-01T00:00:00Z' }],
    ['for another definition of the tool', { fingerprint: 'cd'.repeat(32) }],
    ['for another agent', { agent: 'eve' }],
    ['for another tool', { tool: 'delete_all' }],
    ['if its condition is false', { args: { id: 2 } }, { when: 'args.id == 1' } as object],
    ['if its condition cannot be evaluated', { args: {} }, { when: 'args.id == 1' } as object],
    ['for a rule that it does not name', { origin: ORIGIN }],
    ['if it names only another rule', {}, { waives: ['confirm.write'] }],
    ["for what an operator set on the caller's token", { own: 'always' }],
    ['if several people must approve', {}, {}, { approvers: [{ consequences: ['delete'], count: 2 }] }],
  ])('does not apply %s', (_, given, changes = {}, confirm = {}) => {
    expect(decide(caseOf(given), rulesWith([{ ...WAIVER, ...changes }], confirm)).verdict).toBe('confirm')
  })

  it('leaves the other questions of the same call', () => {
    const rules = rulesWith([
      WAIVER,
      { id: 'ask', effect: 'confirm', tools: 'delete_note', channel: 'person', reason: 'Ask.' },
    ])
    expect(decide(caseOf(), rules)).toMatchObject({
      verdict: 'confirm',
      channel: 'person',
      reasons: [{ rule: 'policy.ask' }],
    })
    const both = rulesWith([
      { ...WAIVER, waives: ['confirm.destructive', 'policy.ask'] },
      { id: 'ask', effect: 'confirm', tools: 'delete_note', reason: 'Ask.' },
    ])
    expect(decide(caseOf(), both).verdict).toBe('allow')
  })

  it('never removes a deny', () => {
    const deny = { id: 'no', effect: 'deny', tools: 'delete_note', reason: 'No.' }
    expect(decide(caseOf(), rulesWith([WAIVER, deny]))).toMatchObject({
      verdict: 'deny',
      code: 'policy_denied',
    })
    expect(decide(caseOf({ permissions: [] }), rulesWith([WAIVER]))).toMatchObject({ verdict: 'deny' })
    const closed = { ...rulesWith([WAIVER]) }
    const policies = { ...closed.policies, fallback: 'deny' as const }
    expect(decide(caseOf(), { ...closed, policies }).verdict).toBe('deny')
  })

  it('changes the version of the rules, so that open approvals end', () => {
    const [one, other] = [rulesWith([WAIVER]), rulesWith([{ ...WAIVER, expires: '2026-12-02' }])]
    expect(one.policies).not.toMatchObject({ version: (other.policies as { version?: string }).version })
  })

  it.each([
    ['agents', /has no agents/],
    ['tools', /has no tools/],
    ['fingerprints', /has no fingerprints/],
    ['waives', /has no waives/],
    ['author', /has no author/],
    ['expires', /has no expires/],
  ])('without %s is a problem', (key, message) => {
    const { [key as keyof typeof WAIVER]: _, ...rest } = WAIVER
    const { problems } = parsePolicies([{ path: 'p.yaml', text: JSON.stringify({ rules: [rest] }) }])
    expect(problems).toMatchObject([{ message: expect.stringMatching(message) }])
  })

  it.each([
    [{ expires: 'someday' }, /expires is not a date/],
    [{ expires: '2026-02-31' }, /expires is not a date/],
    [{ fingerprints: ['abc'] }, /the fingerprint is invalid/],
    [{ waives: ['confirm.*'] }, /no rule asks under the name `confirm\.\*`/],
    [{ waives: ['guardrail.nothing'] }, /no rule asks/],
    [{ channel: 'person' }, /channel applies to confirm rules only/],
    [{ effect: 'allow' }, /waives applies to waivers only/],
  ])('with %j is a problem', (changes, message) => {
    const { problems } = parsePolicies([
      { path: 'p.yaml', text: JSON.stringify({ rules: [{ ...WAIVER, ...changes }] }) },
    ])
    expect(problems[0]?.message).toMatch(message)
  })
})
