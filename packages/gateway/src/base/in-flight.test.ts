import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InFlight } from './in-flight.ts'

describe('InFlight', () => {
  it('finds a value under its number until it is removed, and not after', () => {
    const calls = new InFlight<string>()
    const first = calls.add('a')
    expect(calls.get(first)).toBe('a')
    expect(calls.remove(first)).toBe('a')
    expect(calls.get(first)).toBeUndefined()
    expect(calls.remove(first)).toBeUndefined()
    const later = Array.from({ length: 1000 }, () => calls.remove(calls.add('b')))
    expect(later.every(value => value === 'b')).toBe(true)
    expect(calls.get(first)).toBeUndefined()
  })

  it('finds nothing for a value that is not one of its numbers', () => {
    const calls = new InFlight<string>()
    const number = calls.add('a')
    for (const other of [
      String(number),
      number + 64,
      number + 0.5,
      -number,
      Number.NaN,
      undefined,
      null,
      2 ** 40 + number,
    ])
      expect(calls.get(other), String(other)).toBeUndefined()
  })

  it('behaves like a Map for any sequence of additions and removals', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 5 }), { maxLength: 600 }), steps => {
        const calls = new InFlight<number>()
        const expected = new Map<number, number>()
        for (const [at, step] of steps.entries()) {
          if (step > 1) expected.set(calls.add(at), at)
          else {
            const [number] = [...expected.keys()].slice(step * -3)
            expect(calls.remove(number)).toBe(number === undefined ? undefined : expected.get(number))
            if (number !== undefined) expected.delete(number)
          }
          expect(calls.size).toBe(expected.size)
        }
        expect(calls.entries().toSorted(([a], [b]) => a - b)).toEqual([...expected])
      }),
    )
  })

  it('never reuses a number, and skips the slots of long-running entries', () => {
    const calls = new InFlight<string>()
    const long = calls.add('long')
    const numbers = new Set<number>()
    for (let count = 0; count < 5000; count++) {
      const number = calls.add('short')
      numbers.add(number)
      calls.remove(number)
    }
    expect(numbers.size).toBe(5000)
    expect(calls.get(long)).toBe('long')
  })
})
