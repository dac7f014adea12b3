import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InFlightByName } from './in-flight-by-name.ts'

function ascending(a: number, b: number): number {
  return a - b
}

describe('what is under way, by name', () => {
  it('is what a map would have, whatever comes and goes', () => {
    // Few letters, so that many names want the same places.
    const name = fc.string({ unit: fc.constantFrom('a', 'b', 'P', '@'), maxLength: 5 })
    const step = fc.record({ kind: fc.constantFrom('set', 'set', 'delete'), name, value: fc.nat() })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), steps => {
        const [own, map] = [new InFlightByName<number>(), new Map<string, number>()]
        for (const { kind, name: of, value } of steps) {
          if (kind === 'set') {
            own.set(of, value)
            map.set(of, value)
          } else expect(own.delete(of)).toBe(map.delete(of))
          expect(own.size).toBe(map.size)
        }
        expect(own.values().toSorted(ascending)).toEqual([...map.values()].toSorted(ascending))
        for (const known of map.keys()) expect(own.delete(known)).toBe(true)
        expect(own.size).toBe(0)
      }),
    )
  })

  it('has room for thousands, and then for none', () => {
    const own = new InFlightByName<number>()
    for (let at = 0; at < 5000; at++) own.set(`p-${at.toString(36)}`, at)
    expect(own.size).toBe(5000)
    for (let at = 0; at < 5000; at += 2) own.delete(`p-${at.toString(36)}`)
    expect(own.values().toSorted(ascending)).toEqual(Array.from({ length: 2500 }, (_, at) => at * 2 + 1))
    own.clear()
    expect(own.size).toBe(0)
    expect(own.values()).toEqual([])
    expect(own.delete('p-1')).toBe(false)
  })
})
