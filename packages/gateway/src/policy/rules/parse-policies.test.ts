import { describe, expect, it } from 'vitest'
import { renderPolicyProblems } from '../../base/errors/policy-problem.ts'
import { parsePolicies } from './parse-policies.ts'
import { asDrafts, YamlFile } from './read-yaml.ts'
import { makeFacts } from './test-support/make-facts.ts'

const parse = (text: string) => parsePolicies([{ path: 'p.yaml', text }])
const problems = (text: string) => renderPolicyProblems(parse(text).problems)

describe('policy files', () => {
  it('contain rules with every selector', () => {
    const { set, problems } = parse(`
# What may leave the house.
rules:
  - id: ask-before-sending
    effect: confirm
    agents: [reporting-*]
    servers: mail
    tools: ['mail:send_*', forward]
    variants: [write, call_tool_destructive]
    hints:
      egress: true
      openWorldHint: { value: true, source: [declared, override] }
      reversible: { source: default }
    when: |
      size(args.to) > 1 &&
      args.to.exists(one, !domain(one, "corp.example"))
    channel: person
    remember: [session, arguments]
    reason: Mail to people outside cannot be called back.
`)
    expect(problems).toEqual([])
    expect(set).toMatchObject({ size: 1, fallback: 'allow' })
    const facts = makeFacts({
      agent: 'reporting-bot',
      server: 'mail',
      tool: 'send_mail',
      hints: { egress: true, openWorld: true, readOnly: false, destructive: false },
      args: { to: ['a@corp.example', 'b@else.example'] },
    })
    expect(set.evaluate(facts).hits).toEqual([
      {
        id: 'ask-before-sending',
        effect: 'confirm',
        channel: 'person',
        remember: ['session', 'arguments'],
        reason: {
          rule: 'policy.ask-before-sending',
          source: 'p.yaml:4',
          text: 'Mail to people outside cannot be called back. [egress (declared), open-world (declared), not reversible (default)]',
        },
      },
    ])
  })

  it('can have no rules if `rules` is present', () => {
    for (const text of ['rules:\n', 'rules: []\n', 'rules:\n  # later\n'])
      expect(parse(text)).toMatchObject({ problems: [], set: { size: 0 } })
  })

  it.each(['', ' \n', '# later\n', '\uFEFF'])('are invalid when empty: %j', text => {
    expect(problems(text)).toMatch(/p.yaml:1:1: the file is empty\n {2}fix: .*`rules: \[\]`/)
  })

  it('report every problem with its line and a fix', () => {
    expect(
      problems(`rules:
  - id: one
    efect: deny
    reason: x
  - id: two two
    effect: denny
    hints: { destructve: true, openWorld: maybe, egress: { value: yes }, sensitive: { source: guessed } }
    variants: [reads]
    reason: ''
  - id: three
    effect: allow
    channel: person
    remember: [forever]
    servers: []
    tools: [1]
    agents:
    reason: x
  - just a text
  - id: 4
    effect: deny
    reason: { a: b }
`),
    ).toBe(`p.yaml:2:5: the rule has no effect
  fix: add \`effect: allow\`, \`effect: confirm\` or \`effect: deny\`
p.yaml:3:5: unknown key \`efect\` in a rule
  fix: did you mean \`effect\`?
p.yaml:5:9: the id is invalid
  fix: use up to 64 letters, digits, dots, dashes and underscores, starting with a letter or digit
p.yaml:6:13: unknown effect \`denny\`
  fix: did you mean \`deny\`?
p.yaml:7:14: unknown hint \`destructve\`
  fix: did you mean \`destructive\`?
p.yaml:7:43: the hint has no valid value or source
  fix: write true, false, or { value: true, source: [declared, override] }
p.yaml:7:67: the hint has no valid value or source
  fix: write true, false, or { value: true, source: [declared, override] }
p.yaml:7:95: unknown hint source \`guessed\`
  fix: use one of override, declared, inferred, default
p.yaml:8:16: unknown variant \`reads\`
  fix: did you mean \`read\`?
p.yaml:9:13: reason is not a string
  fix: write some text
p.yaml:12:5: channel applies to confirm rules only
  fix: remove it, or write \`effect: confirm\`
p.yaml:13:5: remember applies to confirm rules only
  fix: remove it, or write \`effect: confirm\`
p.yaml:13:16: unknown remember value \`forever\`
  fix: use one of session, arguments
p.yaml:14:14: servers is empty, so the rule could never match
  fix: remove servers
p.yaml:15:13: one of tools is not a string
  fix: put it in quotes
p.yaml:16:5: agents is empty
  fix: write a value after \`agents:\`, or remove the key
p.yaml:18:5: a rule is not a mapping
  fix: write keys and values; the keys of a rule are id, effect, agents, servers, tools, variants, hints, when, reason, channel, remember
p.yaml:19:9: id is not a string
  fix: put it in quotes
p.yaml:21:13: reason is not a string
  fix: write some text
`)
  })

  it.each([
    ['a condition on the line', 'when: tool.name == "a" && tool.titl == "b"', '4:36'],
    ['a condition in quotes', `when: 'tool.titl == "b"'`, '4:17'],
    ['a condition over lines', 'when: |\n      tool.name == "a" &&\n        tool.titl == "b"', '6:14'],
    ['a condition with a chomping mark', 'when: |-\n\n      tool.titl == "b"', '6:12'],
    ['a folded condition', 'when: >\n      tool.name == "a" &&\n      tool.titl == "b"', '6:12'],
    ['a plain condition over lines', 'when: tool.name == "a" &&\n      tool.titl == "b"', '5:12'],
    ['a condition with escapes', 'when: "tool.name == \\"a\\" && tool.titl == \\"b\\""', '4:39'],
  ])('report the exact location in %s', (_what, when, place) => {
    expect(problems(`rules:\n  - id: x\n    effect: deny\n    ${when}\n    reason: r\n`)).toBe(
      `p.yaml:${place}: when: \`tool\` has no \`titl\`\n  fix: did you mean \`title\`?\n`,
    )
  })

  it.each([
    [
      'a condition that begins with a quote',
      'when: "delete" in tool.operations',
      /4:20: invalid YAML: .*\n {2}fix: put the value in quotes/,
    ],
    [
      'a condition that begins with !',
      'when: !has(args.x)',
      /4:11: invalid YAML: .*\n {2}fix: put the value in quotes/,
    ],
    [
      'a glob that begins with *',
      'tools: *_mail',
      /4:12: the alias \*_mail is not allowed\n {2}fix: .*put the value in quotes/,
    ],
    [
      'a condition with a colon',
      'when: args.a ? args.b : true',
      /4:11: invalid YAML: .*\n {2}fix: put the value in quotes/,
    ],
    ['a tab', '\twhen: true', /4:5: invalid YAML: .*\n {2}fix: indent with spaces/],
    ['a duplicate key', 'effect: allow', /4:5: invalid YAML: .*unique.*\n {2}fix: keep one of the two/],
    ['a condition that is always true', 'when: true', /4:11: when is a constant/],
  ])('explain %s', (_what, line, expected) => {
    expect(problems(`rules:\n  - id: x\n    effect: deny\n    ${line}\n    reason: r\n`)).toMatch(expected)
  })

  it.each([
    ['the rules are not under', '- id: x\n'],
    ['rules is not a list', 'rules: { id: x }\n'],
    ['unknown key `rule` in a policy file', 'rule: []\n'],
    ['a policy file is not a mapping', 'hello\n'],
    ['nested too deeply', '['.repeat(50_000)],
    ['nested too deeply', '- '.repeat(50_000)],
    ['nested too deeply', 'a: {'.repeat(50_000)],
    ['the file is too long', `# ${'x'.repeat(1_000_001)}`],
    ['invalid YAML', 'rules: []\n---\nrules: []\n'],
  ])('report: %s', (message, text) => {
    expect(problems(text)).toContain(message)
  })

  it('report every duplicate key', () => {
    const found = problems(
      'rules: []\nrules: [{ id: a, reason: b, id: c }]\n? [x]\n: 1\n1: a\n"1": b\n1: c\n',
    )
    expect(found.match(/p.yaml:\d+:\d+: invalid YAML: Map keys must be unique/g)).toEqual([
      'p.yaml:2:1: invalid YAML: Map keys must be unique',
      'p.yaml:2:29: invalid YAML: Map keys must be unique',
      'p.yaml:7:1: invalid YAML: Map keys must be unique',
    ])
  })

  it('are parsed in linear time', () => {
    const keys = (count: number) => Array.from({ length: count }, (_, i) => `k${i}: 1\n`).join('')
    const [few, many] = [keys(2500), keys(40_000)]
    const cpuOf = (text: string): number => {
      const before = process.cpuUsage()
      expect(new YamlFile({ path: 'p.yaml', text }).problems).toEqual([])
      const { user, system } = process.cpuUsage(before)
      return user + system
    }
    cpuOf(few)
    // The text is 16 times as long. Comparing each key with all earlier ones would take 256 times as long.
    expect(cpuOf(many)).toBeLessThan(64 * Math.min(...[1, 2, 3].map(() => cpuOf(few))))
  })

  it.each([
    ['characters', '#'.repeat(100_001)],
    ['pieces', ']'.repeat(20_001)],
  ])('are not parsed when a request has too many %s', (_what, text) => {
    const send = (...texts: string[]) =>
      asDrafts(texts.map(one => ({ path: 'p.yaml', text: one }))).map(file => new YamlFile(file).problems[0])
    expect(send(text)[0]?.message).toBe('the text is too long to check here')
    expect(send(text.slice(10))[0]?.message).not.toBe('the text is too long to check here')
    // Splitting the text into several files must not evade the limit.
    expect(send(text.slice(10), '')[0]?.message).toBe('the text is too long to check here')
  })

  it('cannot contain aliases, which expand to gigabytes', () => {
    const bomb = [
      'a: &a [x, x]',
      ...'bcdefgh'.split('').map((name, i) => `${name}: &${name} [*${'abcdefg'[i]}, *${'abcdefg'[i]}]`),
    ]
    expect(problems(`${bomb.join('\n')}\nrules: *h\n`)).toMatch(/p.yaml:2:8: the alias \*a is not allowed/)
  })

  it('cannot reuse a rule id, even in another file', () => {
    const rule = (id: string) => `  - { id: ${id}, effect: deny, reason: r }\n`
    const { problems } = parsePolicies([
      { path: 'a.yaml', text: `rules:\n${rule('x')}${rule('y')}` },
      { path: 'b.yaml', text: `rules:\n${rule('z')}${rule('x')}` },
    ])
    expect(problems).toEqual([
      {
        file: 'b.yaml',
        line: 3,
        column: 11,
        message: 'the id x is already used (a.yaml:2)',
        fix: 'rename one of the two rules',
      },
    ])
  })

  it('report every file, even when one is unreadable', () => {
    const { problems } = parsePolicies([
      { path: 'a.yaml', text: 'rules: [' },
      { path: 'b.yaml', text: 'rulez: []' },
    ])
    expect(problems.map(({ file }) => file)).toEqual(['a.yaml', 'b.yaml'])
  })
})

describe('the version of a policy set', () => {
  const rule = '{ id: x, effect: deny, when: tool.risk > 1, reason: r }'
  const version = (text: string, fallback?: 'deny') =>
    parsePolicies([{ path: 'p.yaml', text }], fallback && { fallback }).set.version

  it('stays the same when rules or keys only move', () => {
    expect(version(`# moved\n\nrules:\n  - ${rule}`)).toBe(version(`rules: [${rule}]`))
    expect(version('rules: [{ reason: r, effect: deny, when: tool.risk > 1, id: x }]')).toBe(
      version(`rules: [${rule}]`),
    )
  })

  it.each([
    ['a condition', rule.replace('> 1', '> 2')],
    ['a reason', rule.replace('reason: r', 'reason: s')],
    ['an effect', rule.replace('deny', 'allow')],
    ['a selector', rule.replace('when:', 'tools: a, when:')],
  ])('changes with %s', (_what, other) => {
    expect(version(`rules: [${other}]`)).not.toBe(version(`rules: [${rule}]`))
  })

  it('changes with policyDefault', () => {
    expect(version(`rules: [${rule}]`, 'deny')).not.toBe(version(`rules: [${rule}]`))
  })
})
