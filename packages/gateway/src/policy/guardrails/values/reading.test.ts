import { describe, expect, it } from 'vitest'
import { EVERYTHING, parseFieldPath } from '../../../protocol/field-path.ts'
import { factsOf } from '../test-support/facts-of.ts'
import { MOST_EFFORT } from './effort.ts'
import { Reading } from './reading.ts'

const TO = [parseFieldPath('to') ?? expect.fail('no path')]

/** Returns what a rule reads, or `missed` if it could not read everything. */
function lookAt(args: unknown, look: (reading: Reading) => unknown): unknown {
  return new Reading(factsOf(args)).ask<unknown>(look, 'missed')
}

describe('Reading', () => {
  it('normalises a text once for all rules', () => {
    const text = 'ж'.repeat(1_000_000)
    const look = (reading: Reading): string => {
      for (let rule = 0; rule < 5; rule += 1) {
        reading.fold(text)
        reading.plain(text)
      }
      return 'seen'
    }
    expect(lookAt({ text }, look)).toBe('seen')
  })

  it('returns nothing to any rule once the budget is spent', () => {
    const reading = new Reading(factsOf({ to: 'ada' }))
    expect(reading.ask<unknown>(it => it.spend(MOST_EFFORT), 'missed')).toBe(true)
    for (const look of [
      () => reading.values(TO),
      () => reading.leaves(TO),
      () => reading.texts(EVERYTHING),
      () => Array.from(reading.split('ada').distinct),
    ])
      expect([look(), reading.ask<unknown>(look, 'missed')]).toEqual([[], 'missed'])
  })

  it('reports a miss only for rules that read after the budget was spent', () => {
    const reading = new Reading(factsOf({ many: Array.from({ length: 30_000 }, () => 1) }))
    expect(reading.ask<unknown>(it => it.texts(EVERYTHING), 'missed')).toBe('missed')
    expect(reading.ask<unknown>(() => 'the clock', 'missed')).toBe('the clock')
    expect(reading.ask<unknown>(it => it.texts(EVERYTHING), 'missed')).toBe('missed')
  })

  it.each([
    ['a list', { to: Array.from({ length: 20_001 }, () => 'a') }],
    ['members', Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`k${at}`, 1]))],
    ['lists in a list', { to: Array.from({ length: 150 }, () => Array.from({ length: 150 }, () => 'a')) }],
  ])('reports a miss when %s exceeds the traversal limit', (_, args) => {
    expect(lookAt(args, reading => reading.leaves(TO))).toBe('missed')
    expect(lookAt(args, reading => reading.leaves(EVERYTHING))).toBe('missed')
  })

  it.each(['**', 'to', 'to[*]', '*.*', 'to.address', '**.address'])(
    'does not start a list that exceeds the limit, for path %s',
    source => {
      let reads = 0
      const to = new Proxy(
        Array.from({ length: 490_000 }, () => 'a'),
        {
          get: (list, key, self) => {
            if (/^\d+$/.test(String(key))) reads += 1
            return Reflect.get(list, key, self)
          },
        },
      )
      const fields = [parseFieldPath(source) ?? expect.fail('no path')]
      expect(lookAt({ to }, reading => reading.leaves(fields))).toBe('missed')
      expect(reads).toBe(0)
    },
  )
})
