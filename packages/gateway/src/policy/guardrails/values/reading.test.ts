import { describe, expect, it } from 'vitest'
import { EVERYTHING, parseFieldPath } from '../../../protocol/field-path.ts'
import { factsOf } from '../test-support/facts-of.ts'
import { MOST_EFFORT } from './effort.ts'
import { Reading } from './reading.ts'

const TO = [parseFieldPath('to') ?? expect.fail('no path')]

/** What a rule gets to see, or that it missed something. */
function lookAt(args: unknown, look: (reading: Reading) => unknown): unknown {
  return new Reading(factsOf(args)).ask<unknown>(look, 'missed')
}

describe('the arguments of a call, as rules look at them', () => {
  it('are made plain once, however many rules ask for that', () => {
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

  it('are looked at until all is spent, and then nothing of them is shown to anybody', () => {
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

  it('are missed by who looked, not by who did not', () => {
    const reading = new Reading(factsOf({ many: Array.from({ length: 30_000 }, () => 1) }))
    expect(reading.ask<unknown>(it => it.texts(EVERYTHING), 'missed')).toBe('missed')
    expect(reading.ask<unknown>(() => 'the clock', 'missed')).toBe('the clock')
    expect(reading.ask<unknown>(it => it.texts(EVERYTHING), 'missed')).toBe('missed')
  })

  it.each([
    ['a list', { to: Array.from({ length: 20_001 }, () => 'a') }],
    ['members', Object.fromEntries(Array.from({ length: 20_001 }, (_, at) => [`k${at}`, 1]))],
    ['lists in a list', { to: Array.from({ length: 150 }, () => Array.from({ length: 150 }, () => 'a')) }],
  ])('are missed where %s is too long to be walked', (_, args) => {
    expect(lookAt(args, reading => reading.leaves(TO))).toBe('missed')
    expect(lookAt(args, reading => reading.leaves(EVERYTHING))).toBe('missed')
  })

  it.each(['**', 'to', 'to[*]', '*.*', 'to.address', '**.address'])(
    'are not begun with where a list is longer than can be walked, by %s',
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
