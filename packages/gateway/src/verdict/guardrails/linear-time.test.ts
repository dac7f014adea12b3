import { describe, expect, it } from 'vitest'
import { compileGuardrails } from './compile-guardrails.ts'
import { factsOf } from './test-support/facts-of.ts'
import { ONE_OF_EACH } from './test-support/one-of-each.ts'

const HOSTILE = [
  'a@a.',
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
]
const SIZE = 4000
const FACTOR = 16
/** Sixteen times as much may cost sixteen times as long, and some noise; its square would be 256. */
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

/** How much longer the large one takes. Measured again while it seems too long: others use the machine too. */
function compare(small: () => unknown, large: () => unknown): number {
  let ratio = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4 && ratio >= MAX_RATIO; round += 1) {
    ratio = Math.min(ratio, cost(large) / Math.max(cost(small), MIN_MICROSECONDS))
  }
  return ratio
}

/** One long text everywhere that rules look, or many short ones. */
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
      // Each as long as every other, and with as many digits.
      Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`${piece}${at + 10_000}`, piece])),
  ],
]

describe.each(ONE_OF_EACH.map(rule => [rule.rule, rule] as const))('%s', (_, rule) => {
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules: [rule] }])

  it('takes time in proportion to the arguments, whatever they are', () => {
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

describe('detectors of one call', () => {
  const rules = [{ rule: 'pii_detect' }, { rule: 'secret_detect' }, { rule: 'secret_detect', field: '**' }]
  const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules }])
  const said = (args: unknown) => guardrails.check(factsOf(args)).map(({ reason }) => reason.text)

  it('search a file of some megabytes', () => {
    expect(said({ text: 'The fox jumps over 13 dogs, see page 4. '.repeat(90_000) })).toEqual([])
    const { guardrails: secretsOnly } = compileGuardrails([
      { layer: 'global', path: [], rules: [{ rule: 'secret_detect' }] },
    ])
    expect(secretsOnly.check(factsOf({ text: '4111111111111112 '.repeat(220_000) }))).toEqual([])
  })

  it('object to more digits than they can search, in one text or in many', () => {
    const [text] = said({ text: '4111111111111112 '.repeat(220_000) })
    expect(text).toBe(
      '"text" is too much to be searched for personal data (a call may have 8388608 characters, and 524288 digits)',
    )
    const many = said({
      list: Array.from({ length: 9000 }, (_, at) => `${'4111111111111112 '.repeat(8)}x${at}`),
    })
    expect(many[0]).toContain('is too much to be searched for personal data')
  })

  it('object to more characters than they can search', () => {
    expect(said({ text: 'word '.repeat(1_700_000) })[0]).toContain('is too much to be searched')
  })

  it('search what two rules ask for once', () => {
    expect(said({ text: 'word '.repeat(800_000) })).toEqual([])
  })

  it.each([
    '12345678Y X1234567K ZB123456C 4111111111111112 49 170 123456 a.b@c. ',
    '4111111111111112 12345678A 1.1.1 ',
    'DE89370400440532013001 GB82WEST12345698765431 ',
    '1-',
    '\uFDFA',
  ])('take little time for much of %j', piece => {
    const args = { text: piece.repeat(3_800_000 / piece.length) }
    const startedAt = process.cpuUsage()
    said(args)
    expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(3000)
  })
})
