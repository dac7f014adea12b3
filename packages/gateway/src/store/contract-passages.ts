import { describe, expect, it } from 'vitest'
import type { Store } from './store.ts'

export function describePassages(open: () => Promise<Store>): void {
  const row = (session: string, at: number, sealed = 'sealed') => ({
    principal: 'agent:a',
    session,
    at,
    sealed,
  })

  describe('passages', () => {
    it('are found by every process, in the order in which they were added, after the last one that it knows', async () => {
      const [{ passages }, other] = [await open(), await open()]
      const first = await passages.add(row('one', 1), 1000)
      const second = await other.passages.add(row('two', 2), 1000)
      expect(second).toBeGreaterThan(first)
      expect(await passages.find('agent:a', 0)).toEqual([
        { ...row('one', 1), id: first },
        { ...row('two', 2), id: second },
      ])
      expect(await other.passages.find('agent:a', first)).toEqual([{ ...row('two', 2), id: second }])
      expect(await passages.find('agent:b', 0)).toEqual([])
    })

    it('of one principal are removed, oldest first, when there are too many; those of others never are', async () => {
      const { passages } = await open()
      await passages.add({ ...row('one', 1, 'x'.repeat(40)), principal: 'agent:b' }, 100)
      for (let at = 1; at <= 5; at += 1) await passages.add(row('one', at, 'x'.repeat(40)), 100)
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([4, 5])
      expect(await passages.find('agent:b', 0)).toHaveLength(1)
    })

    it('that exceed the budget are kept as long as they are the newest', async () => {
      const { passages } = await open()
      await passages.add(row('one', 1), 100)
      await passages.add(row('one', 2, 'x'.repeat(200)), 100)
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([2])
    })

    it('are forgotten with their session, or when they are old', async () => {
      const { passages } = await open()
      await passages.add(row('one', 1), 1000)
      await passages.add(row('two', 2), 1000)
      await passages.add(row('two', 30), 1000)
      await passages.reset('one')
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([2, 30])
      expect(await passages.removeBefore(10)).toBe(1)
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([30])
    })
  })
}
