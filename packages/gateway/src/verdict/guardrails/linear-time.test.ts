import { describe, expect, it } from 'vitest'
import { compileGuardrails } from './compile-guardrails.ts'
import { factsOf } from './test-support/facts-of.ts'
import { ONE_OF_EACH } from './test-support/one-of-each.ts'

const HOSTILE = ['a@a.', '"<, ', '../', '@here', '1', 'а\u200B']
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
      Object.fromEntries(Array.from({ length: size / 10 }, (_, at) => [`${piece}${at}`, piece])),
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
