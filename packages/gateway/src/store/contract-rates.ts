import { describe, expect, it } from 'vitest'
import type { Store } from './store.ts'

export function describeRates(open: () => Promise<Store>): void {
  const rate = { limit: 5, windowMs: 60_000 }

  describe('rates', () => {
    it('allow exactly the limit under concurrent calls', async () => {
      const { rates } = await open()
      const answers = await Promise.all(Array.from({ length: 20 }, () => rates.take('a', rate)))
      expect(answers.filter(wait => wait === undefined)).toHaveLength(5)
      for (const wait of answers.filter(wait => wait !== undefined)) {
        expect(wait).toBeGreaterThan(0)
        expect(wait).toBeLessThanOrEqual(60_000)
      }
    })

    it('count each key and each rate separately, for any text as a key', async () => {
      const { rates } = await open()
      const keys = ['a', 'A', 'a\u0000b', "'; drop table rates", 'x'.repeat(10_000)]
      for (const key of keys) expect(await rates.take(key, { limit: 1, windowMs: 60_000 })).toBeUndefined()
      for (const key of keys) expect(await rates.take(key, { limit: 1, windowMs: 60_000 })).toBeDefined()
      expect(await rates.take('a', { limit: 1, windowMs: 61_000 })).toBeUndefined()
    })

    it('allow calls again when the window ends', async () => {
      const { rates } = await open()
      const short = { limit: 1, windowMs: 1000 }
      expect(await rates.take('a', short)).toBeUndefined()
      const wait = (await rates.take('a', short)) ?? Number.NaN
      await new Promise(resolve => setTimeout(resolve, wait + 20))
      expect(await rates.take('a', short)).toBeUndefined()
    })

    it('are shared by all processes on the store', async () => {
      const [one, other] = [await open(), await open()]
      const tries = Array.from({ length: 20 }, (_, at) =>
        (at % 2 === 0 ? one : other).rates.take('shared', rate),
      )
      const passed = (await Promise.all(tries)).filter(wait => wait === undefined)
      expect(passed).toHaveLength(one.isShared ? 5 : 10)
    })
  })
}
