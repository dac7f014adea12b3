import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { anyHints } from '../test-support/arbitraries.ts'
import { vocabularyLine } from '../test-support/vocabulary.ts'
import { HINT_NAMES, HINTS, type HintName, type HintValues } from './hints.ts'
import { combineHints, compareHint, isLooser, isRelaxing, join, mergeStatements } from './strictness.ts'

const STATES = [true, false, undefined] as const

describe('the order of strictness', () => {
  it('matches the vocabulary for every hint, loose to strict', () => {
    const line = vocabularyLine('Order of strictness (loose → strict):')
    const steps = [...line.matchAll(/(\w+) (true|false) → (true|false)/g)]
    expect(steps.map(([, hint]) => hint).sort()).toEqual([...HINT_NAMES].sort())
    for (const [, hint, loose, strict] of steps) {
      expect(compareHint(hint as HintName, loose === 'true', strict === 'true'), hint).toBeLessThan(0)
      expect(isRelaxing(hint as HintName, loose === 'true'), hint).toBe(true)
      expect(isRelaxing(hint as HintName, strict === 'true'), hint).toBe(false)
    }
  })

  it('puts undeclared between the two ends', () => {
    for (const hint of HINT_NAMES) {
      const { strict } = HINTS[hint]
      expect(compareHint(hint, !strict, undefined), hint).toBeLessThan(0)
      expect(compareHint(hint, undefined, strict), hint).toBeLessThan(0)
      expect(isRelaxing(hint, undefined)).toBe(false)
    }
  })

  it('treats a record as looser if any hint is looser', () => {
    expect(isLooser({ destructive: false, readOnly: false }, { destructive: true, readOnly: true })).toBe(
      true,
    )
    expect(isLooser({ destructive: true }, { destructive: true })).toBe(false)
  })
})

describe('join', () => {
  it('is commutative, associative and idempotent', () => {
    fc.assert(
      fc.property(anyHints, anyHints, anyHints, (a, b, c) => {
        expect(join(a, b)).toEqual(join(b, a))
        expect(join(join(a, b), c)).toEqual(join(a, join(b, c)))
        expect(join(a, a)).toEqual(a)
      }),
    )
  })

  it('omits undeclared hints', () => {
    expect(Object.keys(join({ readOnly: true }, {}))).toEqual([])
  })

  it('returns one of the two values, never the looser', () => {
    fc.assert(
      fc.property(anyHints, anyHints, (a, b) => {
        const joined = join(a, b)
        expect(isLooser(joined, a) || isLooser(joined, b)).toBe(false)
        for (const hint of HINT_NAMES) expect([a[hint], b[hint]]).toContain(joined[hint])
      }),
    )
  })
})

describe('combineHints', () => {
  it('is never looser than any part', () => {
    fc.assert(
      fc.property(fc.array(anyHints, { minLength: 1, maxLength: 6 }), parts => {
        const whole = combineHints(parts)
        for (const part of parts) expect(isLooser(whole, part)).toBe(false)
      }),
    )
  })

  it('combines readOnly and idempotent with AND, destructive and openWorld with OR, and keeps undeclared', () => {
    const and = (a?: boolean, b?: boolean) =>
      a === false || b === false ? false : a === undefined || b === undefined ? undefined : true
    const or = (a?: boolean, b?: boolean) =>
      a === true || b === true ? true : a === undefined || b === undefined ? undefined : false
    const expected = { readOnly: and, idempotent: and, destructive: or, openWorld: or } as const
    for (const [hint, law] of Object.entries(expected)) {
      for (const a of STATES) {
        for (const b of STATES) {
          const combined: HintValues = combineHints([only(hint, a), only(hint, b)])
          expect(combined[hint as HintName], `${hint} ${a} ${b}`).toBe(law(a, b))
        }
      }
    }
  })

  it('returns no hints for no tools', () => {
    expect(combineHints([])).toEqual({})
  })
})

describe('mergeStatements', () => {
  it('takes the stricter value if both declare a hint, otherwise the declared one', () => {
    for (const hint of HINT_NAMES) {
      const { strict } = HINTS[hint]
      expect(mergeStatements({ [hint]: !strict }, { [hint]: strict })).toEqual({ [hint]: strict })
      expect(mergeStatements({ [hint]: strict }, { [hint]: !strict })).toEqual({ [hint]: strict })
      expect(mergeStatements({ [hint]: !strict }, {})).toEqual({ [hint]: !strict })
      expect(mergeStatements({}, { [hint]: !strict })).toEqual({ [hint]: !strict })
    }
  })
})

function only(hint: string, value: boolean | undefined): HintValues {
  return value === undefined ? {} : { [hint]: value }
}
