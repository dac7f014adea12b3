import { describe, expect, it } from 'vitest'
import { renderPolicyProblems } from '../../../base/errors/policy-problem.ts'
import { parsePolicies } from '../parse-policies.ts'
import { readCases } from './read-cases.ts'
import { runCase } from './run-case.ts'

const read = (text: string) => readCases({ path: 'c.yaml', text })

describe('readCases()', () => {
  it('reads calls and their expected verdicts', () => {
    const { cases, problems, policies, policyDefault } = read(`
policies: [a.yaml, b.yaml]
policyDefault: deny
cases:
  - name: everything said
    tool: mail:send:now
    agent: bot
    hints: { egressHint: true, destructive: { value: true, source: inferred } }
    operations: [create, delete]
    domains: email
    consequence: [pay]
    origin: target
    args: { to: [a@b.example], n: 1 }
    intent: { operation_type: write, data_sensitivity: private, reason: because }
    session: { private_data: declared, external_communication: none }
    now: 2026-03-01T08:00:00Z
    expect: confirm
    rule: [x, y]
  - { name: little said, tool: 'crm:delete_contact', expect: allow }
`)
    expect(problems).toEqual([])
    expect({ policies, policyDefault }).toEqual({ policies: ['a.yaml', 'b.yaml'], policyDefault: 'deny' })
    expect(cases[0]).toMatchObject({
      name: 'everything said',
      source: 'c.yaml:5',
      expect: 'confirm',
      rules: ['x', 'y'],
      facts: {
        agent: { name: 'bot' },
        server: { name: 'mail' },
        tool: {
          name: 'send:now',
          variant: 'call_tool_destructive',
          category: 'delete',
          riskLevel: 3,
          effective: {
            egress: { value: true, source: 'declared' },
            destructive: { value: true, source: 'inferred' },
            operations: { value: ['create', 'delete'], source: 'declared' },
            serviceDomains: { value: ['email'] },
          },
        },
        origin: { kind: 'target' },
        args: { to: ['a@b.example'], n: 1 },
        intent: { operation_type: 'write', data_sensitivity: 'private', reason: 'because' },
        now: Date.parse('2026-03-01T08:00:00Z'),
      },
    })
    expect(Object.keys(cases[0]?.facts.session.riskFactors ?? {})).toEqual(['private_data'])
    // The hint is inferred from the tool's name, as in the gateway.
    expect(cases[1]?.facts.tool.effective.destructive).toEqual({ value: true, source: 'inferred' })
  })

  it('reads external communication under its former name, way_out', () => {
    const { cases, problems } = read(`
cases:
  - { name: former, tool: 'mail:send', session: { way_out: declared }, expect: allow }
  - { name: both, tool: 'mail:send', session: { way_out: declared, external_communication: none }, expect: allow }
`)
    expect(problems).toEqual([])
    const riskFactors = cases.map(({ facts }) => facts.session.riskFactors)
    expect(riskFactors).toMatchObject([{ external_communication: { basis: 'declared' } }, {}])
    expect(riskFactors[1]).toEqual({})
  })

  it('lists every problem', () => {
    expect(
      renderPolicyProblems(
        read(`policyDefault: maybe
cases:
  - name: one
    tool: send
    hints: { egres: true, openWorld: { source: default } }
    args: [1]
    session: { private: declared }
    now: soon
    expects: deny
  - tool: a:b
    expect: denied
    intent: { operation_type: reed }
    rule:
`).problems,
      ).replaceAll(/\n {2}fix.*/g, ''),
    ).toBe(`c.yaml:1:16: unknown policyDefault \`maybe\`
c.yaml:3:5: the case has no expect
c.yaml:4:11: the tool name is incomplete
c.yaml:5:14: unknown hint \`egres\`
c.yaml:6:11: args is not a mapping
c.yaml:7:16: unknown key \`private\` in session
c.yaml:8:10: now is not a time
c.yaml:9:5: unknown key \`expects\` in a case
c.yaml:10:5: the case has no name
c.yaml:11:13: unknown verdict \`denied\`
c.yaml:12:31: unknown operation_type \`reed\`
c.yaml:13:5: rule is empty
`)
  })

  it.each(['', 'cases:\n', 'cases: {}\n'])('reports a file without cases: %j', text => {
    expect(read(text).problems).toEqual([expect.objectContaining({ message: 'the file has no cases' })])
  })
})

describe('a case', () => {
  const { set } = parsePolicies([
    { path: 'p.yaml', text: 'rules: [{ id: no-mail, effect: deny, servers: mail, reason: No mail. }]' },
  ])
  const run = (more: string) => {
    const [one] = read(`cases: [{ name: x, tool: 'mail:send', ${more} }]`).cases
    return one && runCase(one, set)
  }

  it('passes with the expected verdict and rule', () => {
    expect(run('expect: deny')).toMatchObject({ passed: true })
    expect(run('expect: deny, rule: no-mail')).toMatchObject({ passed: true })
  })

  it('fails otherwise, with the actual verdict and reasons', () => {
    expect(run('expect: allow')).toEqual({
      name: 'x',
      source: 'c.yaml:1',
      passed: false,
      expected: 'allow',
      expectedRules: [],
      verdict: 'deny',
      rules: ['no-mail'],
      reasons: ['policy.no-mail (p.yaml:1): No mail.'],
    })
    expect(run('expect: deny, rule: other')).toMatchObject({ passed: false })
  })
})
