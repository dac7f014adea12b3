import { describe, expect, it } from 'vitest'
import { compileGuardrails } from './compile-guardrails.ts'
import { factsOf } from './test-support/facts-of.ts'
import { ONE_OF_EACH } from './test-support/one-of-each.ts'

const HOSTILE = [
  'a@a.',
  'a.',
  '%E3.',
  ':\n',
  'a:%4\n1',
  '/a\n',
  'é.',
  'a@b.co,',
  '"<, ',
  '../',
  '@here',
  '1',
  'а\u200B',
  '\u0301\u0323',
  '\u0301\uFF9E',
  '(',
  '@\u0301\u0323',
  '\uFDFA',
  'mailto:?%&',
]
const SIZE = 4000
const FACTOR = 16
/**
 * Maximum ratio of the times for two inputs, one of which is sixteen times as long. Linear time gives a ratio of 16
 * plus noise, quadratic time one of 256.
 */
const MAX_RATIO = 40
const MIN_MICROSECONDS = 300

function cost(run: () => unknown): number {
  const rounds = Array.from({ length: 2 }, () => {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return user + system
  })
  return Math.min(...rounds)
}

/**
 * Returns the ratio of the times that two inputs take. If it is too high, it is measured again, because other processes
 * use the same machine.
 */
function compare(small: () => unknown, large: () => unknown, limit = MAX_RATIO): number {
  let ratio = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4 && ratio >= limit; round += 1) {
    ratio = Math.min(ratio, cost(large) / Math.max(cost(small), MIN_MICROSECONDS))
  }
  return ratio
}

/** Inputs with one long text in every field that rules read, or with many short texts. */
const SHAPES: readonly (readonly [name: string, make: (piece: string, size: number) => unknown])[] = [
  [
    'one long text',
    (piece, size) => ({ to: piece.repeat(size / piece.length), a: piece.repeat(size / piece.length) }),
  ],
  [
    'many people',
    (piece, size) => ({ attendees: Array.from({ length: size / 10 }, () => ({ email: piece })) }),
  ],
  [
    'many keys',
    (piece, size) =>
      // All keys get the same length and the same number of digits.
      Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`${piece}${at + 10_000}`, piece])),
  ],
  [
    'many below one long key',
    (piece, size) => ({
      [piece.repeat(size / piece.length)]: Array.from({ length: size / 10 }, () => ({ to: piece })),
    }),
  ],
]

describe.each(ONE_OF_EACH.map(rule => [rule.rule, rule] as const))('%s', (_, rule) => {
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules: [rule] }])

  it('takes time linear in the size of the arguments', () => {
    for (const [name, make] of SHAPES) {
      for (const piece of HOSTILE) {
        const [small, large] = [factsOf(make(piece, SIZE)), factsOf(make(piece, SIZE * FACTOR))]
        const ratio = compare(
          () => guardrails.check(small),
          () => guardrails.check(large),
        )
        expect(ratio, `${name} of ${JSON.stringify(piece)}`).toBeLessThan(MAX_RATIO)
      }
    }
  })
})

const MORE = 'the arguments are too large to check'

describe('the detectors in one call', () => {
  const rules = [{ rule: 'pii_detect' }, { rule: 'secret_detect' }, { rule: 'secret_detect', field: '**' }]
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules }])
  const said = (args: unknown) => guardrails.check(factsOf(args)).map(({ reason }) => reason.text)

  it('search a file of several megabytes', () => {
    expect(said({ text: 'The fox jumps over 13 dogs, see page 4. '.repeat(90_000) })).toEqual([])
    const { guardrails: secretsOnly } = compileGuardrails([
      { layer: 'global', path: [], rules: [{ rule: 'secret_detect' }] },
    ])
    expect(secretsOnly.check(factsOf({ text: '4111111111111112 '.repeat(220_000) }))).toEqual([])
  })

  it('deny more digits than they can search, in one string or in many', () => {
    expect(said({ text: '4111111111111112 '.repeat(220_000) })[0]).toBe(MORE)
    const list = Array.from({ length: 9000 }, (_, at) => `${'4111111111111112 '.repeat(8)}x${at}`)
    expect(said({ list })[0]).toBe(MORE)
  })

  it('deny more characters than they can search', () => {
    expect(said({ text: 'word '.repeat(1_700_000) })).toContain(MORE)
  })

  it('search a text once for two rules', () => {
    expect(said({ text: 'word '.repeat(800_000) })).toEqual([])
  })

  it.each([
    '12345678Y X1234567K ZB123456C 4111111111111112 49 170 123456 a.b@c. ',
    '4111111111111112 12345678A 1.1.1 ',
    'DE89370400440532013001 GB82WEST12345698765431 ',
    '1-',
    '\uFDFA',
  ])('are fast on repeated %j', piece => {
    const args = { text: piece.repeat(3_800_000 / piece.length) }
    const startedAt = process.cpuUsage()
    said(args)
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(3000)
  })
})

describe.each([
  { rule: 'block_external', internal: ['example.com'] },
  { rule: 'max_recipients', max: 1_000_000_000 },
  { rule: 'allow_addresses', addresses: ['a@example.com'] },
  { rule: 'allow_domains', domains: ['example.com'] },
])('$rule', rule => {
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules: [rule] }])

  it.each([
    ['one link', `mailto:?${'%&'.repeat(1_900_000)}`],
    ['many', Array.from({ length: 480 }, (_, at) => `mailto:?${'%&'.repeat(4000)}${at}`)],
  ])('denies more headers than it can parse before parsing them: %s', (_, to) => {
    const started = process.cpuUsage()
    const [hit] = guardrails.check(factsOf({ to }))
    expect(hit?.reason.text).toBe(MORE)
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1500)
  })
})

describe('block_addresses', () => {
  const { guardrails } = compileGuardrails([
    { layer: 'global', path: [], rules: [{ rule: 'block_addresses', addresses: ['a@example.com'] }] },
  ])

  it('denies more escapes next to an address than it can decode', () => {
    const [hit] = guardrails.check(factsOf({ text: `@${'%41a'.repeat(900_000)}` }))
    expect(hit?.reason.text).toBe(MORE)
  })
})

describe('block_external', () => {
  const { guardrails } = compileGuardrails([
    { layer: 'global', path: [], rules: [{ rule: 'block_external', internal: ['example.com'] }] },
  ])
  const PEOPLE: readonly (readonly [name: string, make: (count: number) => unknown])[] = [
    ['side by side', count => Array.from({ length: count }, () => ({ name: 'Ada', email: 'a@example.com' }))],
    ['in one object', count => ({ ...Array.from({ length: count }, () => 'Ada'), email: 'a@example.com' })],
    [
      'one in another',
      count => Array.from({ length: count }).reduce(inner => ({ name: 'Ada', inner }), 'a@example.com'),
    ],
  ]

  it.each(PEOPLE)('takes time linear in the number of named people, %s', (_, make) => {
    const [small, large] = [factsOf({ to: make(400) }), factsOf({ to: make(400 * FACTOR) })]
    const ratio = compare(
      () => guardrails.check(small),
      () => guardrails.check(large),
    )
    expect(ratio).toBeLessThan(MAX_RATIO)
  })
})

describe('block_delete', () => {
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules: [{ rule: 'block_delete' }] }])

  it('denies megabytes of camel case quickly', () => {
    const started = process.cpuUsage()
    const [hit] = guardrails.check(factsOf({ action: 'aB'.repeat(1_900_000) }))
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(600)
    expect(hit?.reason.text).toBe(MORE)
    expect(guardrails.check(factsOf({ action: 'aB'.repeat(50_000) }))).toEqual([])
  })
})

describe('block_domains', () => {
  const { guardrails } = compileGuardrails([
    { layer: 'global', path: [], rules: [{ rule: 'block_domains', domains: ['evil.com'] }] },
  ])

  it.each(['a', '_', 'é'])('is as fast on one long word as on many short ones: %s', letter => {
    const one = factsOf({ text: `é.${letter.repeat(1_000_000)}` })
    const many = factsOf({ text: `é.${`${letter} `.repeat(500_000)}` })
    expect(
      compare(
        () => guardrails.check(many),
        () => guardrails.check(one),
        4,
      ),
    ).toBeLessThan(4)
  })
})

describe('protect_branches', () => {
  const { guardrails } = compileGuardrails([
    { layer: 'global', path: [], rules: [{ rule: 'protect_branches' }] },
  ])

  it.each([
    ['long names behind prefixes', `${'for/'.repeat(8)}${'x'.repeat(950)}`],
    ['words', 'a,'.repeat(99)],
    ['escapes', 'a%66'.repeat(200)],
  ])('denies more names than it can compare: %s', (_, text) => {
    const branch = Array.from({ length: 15_000 }, (_, at) => `${text}${at}`)
    const [hit] = guardrails.check(factsOf({ branch }))
    expect(hit?.reason.text).toBe(MORE)
  })

  it('does not expand hundreds of prefixes into names', () => {
    for (const text of ['for/'.repeat(240), 'a,'.repeat(480)]) {
      const [hit] = guardrails.check(factsOf({ branch: text }))
      expect(hit?.reason.text).toContain('might name a protected branch')
    }
  })
})

describe('all rules in one call', () => {
  const rules = [
    { rule: 'secret_detect' },
    { rule: 'pii_detect' },
    { rule: 'keyword_block', keywords: ['confidential'] },
    { rule: 'block_domains', domains: ['pastebin.com'] },
    { rule: 'block_mass_mentions', max: 1_000_000 },
    { rule: 'block_pattern', pattern: 'drop\\s+table' },
    { rule: 'max_recipients', max: 1_000_000 },
    { rule: 'block_external', internal: ['example.com'] },
    { rule: 'allow_repos', repos: ['acme/*'] },
    { rule: 'protect_branches' },
    { rule: 'block_addresses', addresses: ['press@example.com'] },
  ]
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules }])
  const said = (args: unknown) => guardrails.check(factsOf(args)).map(({ reason }) => reason.text)
  const fill = (piece: string, length: number) => piece.repeat(Math.floor(length / piece.length))

  it.each([
    'The quick brown fox jumps over the lazy dog. ',
    'if (left.size === right.size) { return compare(left, right) }\n',
    '{"name": "Ada", "city": "London", "age": 36},\n',
    '2026-01-01T12:34:56Z level=info msg="got it and went on"\n',
    'Für das Öl müssen wir größere Gefäße kaufen. ',
  ])('read a megabyte of %j', piece => {
    expect(said({ text: fill(piece, 1_000_000) })).toEqual([])
  })

  const costOf = (args: unknown): number => {
    const started = process.cpuUsage()
    expect(said(args)).toContain(MORE)
    return process.cpuUsage(started).user / 1000
  }

  it.each<[what: string, args: unknown]>([
    ['numbers', { list: Array.from({ length: 490_000 }, () => 1) }],
    ['recipients', { to: Array.from({ length: 480_000 }, () => 'a') }],
    ['members', Object.fromEntries(Array.from({ length: 100_000 }, (_, at) => [`k${at}`, 1]))],
  ])('do not start lists that they cannot finish: %s', (_, args) => {
    expect(costOf(args)).toBeLessThan(300)
  })

  it.each<[what: string, args: unknown]>([
    ['invisible characters', { text: fill('a\u200B@b.d,', 2_600_000) }],
    ['accents', { text: fill('a\u0301b ', 3_000_000) }],
    ['ligatures', { text: fill('\uFDFA', 1_300_000) }],
    ['names', { list: Array.from({ length: 19_000 }, (_, at) => `${fill('secret=aaaaaaaa', 190)}${at}`) }],
    ['mentions', { text: fill('@a ', 3_900_000) }],
    ['hosts', { text: Array.from({ length: 400_000 }, (_, at) => `\u00E9${at}.b`).join(' ') }],
    ['escapes', { text: fill('%41', 3_900_000) }],
  ])('deny arguments that would block the event loop: %s', (_, args) => {
    // On an idle machine this takes about a quarter of a second.
    expect(costOf(args)).toBeLessThan(1500)
  })

  it('deny a call that any rule could not read in full, with one reason per rule', () => {
    const list = Array.from({ length: 30_000 }, () => 1)
    // Every rule that reads arguments gives one reason; the time window gives none.
    const more = compileGuardrails([
      { layer: 'global', path: [], rules: [...rules, { rule: 'time_window' }] },
    ])
    expect(more.guardrails.check(factsOf({ list }))).toHaveLength(rules.length)
  })

  it('never let text past the end of the budget through', () => {
    const secretAtEnd = (length: number) => ({ text: `${fill('word ', length)} AKIAQ3EGRT5UJ7KWXYZ2 ` })
    for (const length of [100_000, 1_000_000, 2_000_000, 3_000_000, 3_900_000])
      expect(said(secretAtEnd(length)), `${length}`).not.toEqual([])
  })
})
