import { describe, expect, it } from 'vitest'
import { exampleToken } from './contract-tokens.ts'
import { untilGrown } from './contract-waiting.ts'
import type { KeptResult, ResultQuota, Store } from './store.ts'

type Open = () => Promise<Store>

const PLENTY: ResultQuota = { ownerBytes: 1e6, totalBytes: 1e6 }

export function exampleResult(handle: string, fields: Partial<KeptResult> = {}): KeptResult {
  const body = '{"content":[]}'
  return { handle, owner: 'agent:bot', tool: 'crm:export', createdAt: 1000, expiresAt: 2000, body, ...fields }
}

export function describeResults(open: Open): void {
  describe('stored results', () => {
    it('are found by their owner, with every field, until they expire', async () => {
      const store = await open()
      const body = '{"content":[{"type":"text","text":"naïve 🦔 \\u0000"}],"n":12345678901234567890}'
      const kept = exampleResult('res_1', { body, createdAt: 2 ** 41, expiresAt: 2 ** 42 })
      expect(await store.results.insert(kept, PLENTY)).toBe(true)
      expect(await store.results.find('res_1', 'agent:bot', 2 ** 42 - 1)).toEqual(kept)
      expect(await store.results.find('res_1', 'agent:bot', 2 ** 42)).toBeUndefined()
    })

    it('are read run by run, and deleted with all runs', async () => {
      const store = await open()
      const runs = Array.from({ length: 2500 }, (_, at) => JSON.stringify(`run ${at} 🦔 \u0000`))
      expect(await store.results.insert(exampleResult('res_1'), PLENTY, runs)).toBe(true)
      await store.results.insert(exampleResult('res_2', { createdAt: 1001, expiresAt: 3000 }), PLENTY, [
        '"a"',
        '"b"',
      ])
      expect(await store.results.readRuns('res_1', 1998, 2)).toEqual(runs.slice(1998, 2000))
      expect(await store.results.readRuns('res_1', 2499, 2)).toEqual(runs.slice(2499))
      expect(await store.results.readRuns('res_2', 0, 2)).toEqual(['"a"', '"b"'])
      await store.results.removeExpired(2000)
      expect(await store.results.readRuns('res_1', 0, 1)).toEqual([])
      expect(await store.results.readRuns('res_2', 1, 1)).toEqual(['"b"'])
    })

    it('are not found by another owner', async () => {
      const store = await open()
      await store.results.insert(exampleResult('res_1'), PLENTY)
      expect(await store.results.find('res_1', 'agent:other', 1500)).toBeUndefined()
      expect(await store.results.find('res_2', 'agent:bot', 1500)).toBeUndefined()
      expect(await store.results.find('RES_1', 'agent:bot', 1500)).toBeUndefined()
    })

    it('survive reopening, and are visible to other processes', async () => {
      const first = await open()
      await first.results.insert(exampleResult('res_1'), PLENTY)
      expect(await (await open()).results.find('res_1', 'agent:bot', 1500)).toEqual(exampleResult('res_1'))
      await first.close()
      expect(await (await open()).results.find('res_1', 'agent:bot', 1500)).toEqual(exampleResult('res_1'))
    })

    it('are deleted once they have expired, either on request or by the next insert', async () => {
      const store = await open()
      await store.results.insert(exampleResult('res_1', { expiresAt: 2000 }), PLENTY)
      await store.results.insert(exampleResult('res_2', { expiresAt: 3000 }), PLENTY)
      expect(await store.results.removeExpired(2000)).toBe(1)
      expect(await store.results.find('res_1', 'agent:bot', 0)).toBeUndefined()
      await store.results.insert(exampleResult('res_3', { createdAt: 3000, expiresAt: 4000 }), PLENTY)
      expect(await store.results.find('res_2', 'agent:bot', 0)).toBeUndefined()
      expect(await store.results.find('res_3', 'agent:bot', 0)).toBeDefined()
      expect(await store.results.removeExpired(3000)).toBe(0)
    })

    it('do not count as a change for listeners', async () => {
      const [one, two] = await Promise.all([open(), open()])
      const first = one.version()
      await two.tokens.insert(exampleToken('bot'))
      await untilGrown(one, first)
      const before = [one.version(), two.version()]
      let calls = 0
      for (const store of [one, two]) store.onChange(() => (calls += 1))
      await one.results.insert(exampleResult('res_1'), PLENTY)
      await two.results.removeExpired(5000)
      await two.tokens.touch('bot', 5000)
      expect([one.version(), two.version()]).toEqual(before)
      await new Promise(resolve => setTimeout(resolve, 500))
      expect(calls).toBe(0)
      await two.tokens.revoke('bot', 5000)
      await untilGrown(one, before[0] ?? 0)
    })

    it('do not replace another result with the same handle', async () => {
      const store = await open()
      await store.results.insert(exampleResult('res_1'), PLENTY)
      const again = exampleResult('res_1', { owner: 'agent:other' })
      await expect(store.results.insert(again, PLENTY)).rejects.toThrow()
      expect(await store.results.find('res_1', 'agent:bot', 1500)).toEqual(exampleResult('res_1'))
    })
  })
}

export function describeQuota(open: Open): void {
  describe('the quota of stored results', () => {
    const bytes = (count: number) => JSON.stringify('x'.repeat(count - 2))
    const found = async (store: Store, ...handles: string[]) => {
      const rows = await Promise.all(
        handles.flatMap(handle =>
          ['agent:bot', 'agent:other'].map(owner => store.results.find(handle, owner, 0)),
        ),
      )
      return rows.flatMap(row => (row === undefined ? [] : [row.handle]))
    }

    it("deletes the owner's oldest results, and no more than needed", async () => {
      const store = await open()
      const quota = { ownerBytes: 100, totalBytes: 1000 }
      await store.results.insert(exampleResult('other', { owner: 'agent:other', body: bytes(50) }), quota)
      for (const [index, size] of [10, 20, 30, 40].entries())
        await store.results.insert(
          exampleResult(`res_${index}`, { createdAt: 1000 + index, body: bytes(size) }),
          quota,
        )
      expect(await found(store, 'res_0', 'res_1', 'res_2', 'res_3')).toHaveLength(4)
      expect(await store.results.insert(exampleResult('res_4', { body: bytes(11) }), quota)).toBe(true)
      expect(await found(store, 'other', 'res_0', 'res_1', 'res_2', 'res_3', 'res_4')).toEqual([
        'other',
        'res_2',
        'res_3',
        'res_4',
      ])
    })

    it('includes the runs', async () => {
      const store = await open()
      const quota = { ownerBytes: 100, totalBytes: 1000 }
      const insert = (handle: string, runs: readonly string[]) =>
        store.results.insert(exampleResult(handle, { body: bytes(10) }), quota, runs)
      expect(await insert('long', [bytes(50), bytes(41)])).toBe(false)
      expect(await insert('fits', [bytes(50), bytes(40)])).toBe(true)
      expect(await insert('next', [bytes(10)])).toBe(true)
      expect(await found(store, 'fits', 'next')).toEqual(['next'])
      expect(await store.results.readRuns('fits', 0, 2)).toEqual([])
    })

    it('counts bytes, not characters', async () => {
      const store = await open()
      const hedgehog = (handle: string) => exampleResult(handle, { body: '"🦔"' })
      // Each body is six bytes long: four characters and two quotes.
      await store.results.insert(hedgehog('a'), { ownerBytes: 12, totalBytes: 12 })
      await store.results.insert(hedgehog('b'), { ownerBytes: 12, totalBytes: 12 })
      expect(await found(store, 'a', 'b')).toEqual(['a', 'b'])
      await store.results.insert(hedgehog('c'), { ownerBytes: 99, totalBytes: 17 })
      expect(await found(store, 'a', 'b', 'c')).toEqual(['b', 'c'])
    })

    it('keeps the order of results from the same millisecond', async () => {
      const store = await open()
      const quota = { ownerBytes: 30, totalBytes: 1000 }
      for (const handle of ['c', 'a', 'b', 'd'])
        await store.results.insert(exampleResult(handle, { body: bytes(10) }), quota)
      expect(await found(store, 'a', 'b', 'c', 'd')).toEqual(['a', 'b', 'd'])
    })

    it('refuses a result that cannot fit, and deletes nothing for it', async () => {
      const store = await open()
      const quota = { ownerBytes: 100, totalBytes: 120 }
      await store.results.insert(exampleResult('mine', { body: bytes(40) }), quota)
      expect(await store.results.insert(exampleResult('long', { body: bytes(101) }), quota)).toBe(false)
      expect(
        await store.results.insert(exampleResult('full', { owner: 'agent:other', body: bytes(81) }), quota),
      ).toBe(false)
      expect(await found(store, 'mine', 'long', 'full')).toEqual(['mine'])
      expect(await store.results.insert(exampleResult('fits', { body: bytes(100) }), quota)).toBe(true)
      expect(await found(store, 'mine', 'fits')).toEqual(['fits'])
    })

    it('does not count expired results', async () => {
      const store = await open()
      const quota = { ownerBytes: 100, totalBytes: 100 }
      await store.results.insert(exampleResult('old', { owner: 'agent:other', body: bytes(100) }), quota)
      const late = exampleResult('new', { createdAt: 2000, expiresAt: 3000, body: bytes(100) })
      expect(await store.results.insert(late, quota)).toBe(true)
    })

    it('holds under concurrent inserts', async () => {
      const [one, two] = await Promise.all([open(), open()])
      const quota = { ownerBytes: 100, totalBytes: 1000 }
      const handles = Array.from({ length: 20 }, (_, index) => `res_${index}`)
      const kept = await Promise.all(
        handles.map((handle, index) =>
          (index % 2 ? one : two).results.insert(exampleResult(handle, { body: bytes(30) }), quota),
        ),
      )
      expect(kept.every(Boolean)).toBe(true)
      expect(await found(one, ...handles)).toHaveLength(3)
    })
  })
}
