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
      const [first = 0] = await passages.add([row('one', 1)], 1000)
      const [second = 0] = await other.passages.add([row('two', 2)], 1000)
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
      await passages.add([{ ...row('one', 1, 'x'.repeat(40)), principal: 'agent:b' }], 100)
      for (let at = 1; at <= 5; at += 1) await passages.add([row('one', at, 'x'.repeat(40))], 100)
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([4, 5])
      expect(await passages.find('agent:b', 0)).toHaveLength(1)
    })

    it('of several principals are added with one commit, and each keeps its own limit', async () => {
      const { passages } = await open()
      const long = 'x'.repeat(40)
      const rows = [1, 2, 3, 4].flatMap(at => [
        row('one', at, long),
        { ...row('one', at, long), principal: 'agent:b' },
      ])
      const ids = await passages.add(rows, 100)
      expect(ids).toEqual(ids.toSorted((one, other) => one - other))
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([3, 4])
      expect((await passages.find('agent:b', 0)).map(({ at }) => at)).toEqual([3, 4])
    })

    it('stay within an eighth more than the limit, however many are added', async () => {
      const { passages } = await open()
      for (let at = 1; at <= 300; at += 1) await passages.add([row('one', at, 'x'.repeat(7))], 700)
      const found = await passages.find('agent:a', 0)
      expect(found.length).toBeLessThanOrEqual(113)
      expect(found.length).toBeGreaterThanOrEqual(100)
      expect(found.at(-1)?.at).toBe(300)
    })

    it('are all seen by a process that follows the rows while others add some', async () => {
      const stores = [await open(), await open(), await open()]
      const [reader = await open(), ...writers] = stores
      const seen: number[] = []
      let last = 0
      const follow = async () => {
        const found = await reader.passages.find('agent:a', last)
        last = found.at(-1)?.id ?? last
        seen.push(...found.map(({ at }) => at))
      }
      const added = Promise.all(
        Array.from({ length: 120 }, async (_, at) =>
          writers[at % 2]?.passages.add([row('one', at)], 100_000),
        ),
      )
      let isDone = false
      const done = added.then(() => (isDone = true))
      while (!isDone) {
        await follow()
        // SQLite answers without a turn of the event loop, which the writers need.
        await new Promise(resolve => setImmediate(resolve))
      }
      await done
      await follow()
      expect(seen.toSorted((one, other) => one - other)).toEqual(Array.from({ length: 120 }, (_, at) => at))
    })

    it('that exceed the budget are kept as long as they are the newest', async () => {
      const { passages } = await open()
      await passages.add([row('one', 1)], 100)
      await passages.add([row('one', 2, 'x'.repeat(200))], 100)
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([2])
    })

    it('are forgotten with their session, or when they are old', async () => {
      const { passages } = await open()
      await passages.add([row('one', 1)], 1000)
      await passages.add([row('two', 2)], 1000)
      await passages.add([row('two', 30)], 1000)
      await passages.reset('one')
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([2, 30])
      expect(await passages.removeBefore(10)).toBe(1)
      expect((await passages.find('agent:a', 0)).map(({ at }) => at)).toEqual([30])
    })
  })
}
