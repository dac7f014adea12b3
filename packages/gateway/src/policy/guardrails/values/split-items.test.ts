import { describe, expect, it } from 'vitest'
import { factsOf } from '../test-support/facts-of.ts'
import { Reading } from './reading.ts'
import { MOST_ADDRESSES, splitItems } from './split-items.ts'

describe('splitItems()', () => {
  it('splits at commas, semicolons and line breaks outside quotes and brackets', () => {
    const { distinct, total, repeated } = splitItems(
      ' a@b.co; "Doe, Ada" <ada@b.co>,, a@b.co\n"c\\",d\r<e,f>',
    )
    expect([...distinct]).toEqual(['a@b.co', '"Doe, Ada" <ada@b.co>', '"c\\",d', '<e,f>'])
    expect({ total, repeated }).toEqual({ total: 5, repeated: 0 })
    expect(splitItems(' ')).toEqual({ distinct: new Set(), total: 0, repeated: 0 })
    expect(splitItems('"a@b.co" <a@b.co>, a@b.co <c@b.co>')).toMatchObject({ total: 2, repeated: 1 })
  })

  it('counts all items, but collects distinct ones only up to the limit', () => {
    const text = Array.from({ length: 3 * MOST_ADDRESSES }, (_, at) => `a${at}@b.co`).join()
    const { distinct, total } = splitItems(text)
    expect(distinct.size).toBe(MOST_ADDRESSES + 1)
    expect(total).toBe(3 * MOST_ADDRESSES)
  })

  it('runs once for all rules of a call', () => {
    const text = 'a@b.co,'.repeat(1000)
    const reading = new Reading(factsOf({ to: text }))
    expect(reading.split(text)).toBe(reading.split(text))
    expect(reading.split(text)).toMatchObject({ distinct: new Set(['a@b.co']), total: 1000 })
  })
})
