import { describe, expect, it } from 'vitest'
import { untilGrown } from './contract-waiting.ts'
import type { Store } from './store.ts'

type Open = () => Promise<Store>

const KEY = { server: 'crm', kind: 'tool', name: 'find' } as const

function seen(fingerprint: string, name = 'find') {
  return { kind: 'tool', name, fingerprint, definition: JSON.stringify({ name, fingerprint }) } as const
}

export function describeDefinitions(open: Open): void {
  const see = (store: Store, at: number, ...definitions: readonly ReturnType<typeof seen>[]) =>
    store.definitions.see('crm', { kinds: ['tool'], definitions }, at)

  describe('definitions', () => {
    it('keep every version once, and name the current one', async () => {
      const store = await open()
      await see(store, 1, seen('a'))
      await see(store, 2, seen('b'))
      await see(store, 3, seen('a'))
      expect(await store.definitions.load('crm')).toEqual([
        {
          ...KEY,
          current: 'a',
          isDisabled: false,
          versions: [
            { fingerprint: 'a', definition: seen('a').definition, firstSeenAt: 1, lastSeenAt: 3 },
            { fingerprint: 'b', definition: seen('b').definition, firstSeenAt: 2, lastSeenAt: 2 },
          ],
        },
      ])
      expect(await store.definitions.servers()).toEqual(['crm'])
      expect(await store.definitions.load('other')).toEqual([])
    })

    it('are kept without a current version when a server no longer has them', async () => {
      const store = await open()
      await see(store, 1, seen('a'), seen('x', 'gone'))
      await store.definitions.see('crm', { kinds: ['prompt'], definitions: [] }, 2)
      await see(store, 3, seen('a'))
      const found = await store.definitions.load('crm')
      expect(found.map(({ name, current }) => [name, current])).toEqual([
        ['find', 'a'],
        ['gone', undefined],
      ])
      expect((await store.definitions.load('crm', KEY)).map(({ name }) => name)).toEqual(['find'])
    })

    it('accept a review only of the current version', async () => {
      const store = await open()
      const review = { verdict: 'approved', by: 'ada', at: 5, note: 'looked at' } as const
      await see(store, 1, seen('a'))
      expect(await store.definitions.review(KEY, 'b', review)).toBe(false)
      expect(await store.definitions.review({ ...KEY, name: 'nope' }, 'a', review)).toBe(false)
      expect(await store.definitions.review(KEY, 'a', review)).toBe(true)
      await see(store, 2, seen('b'))
      // Fails, because the reviewed version is no longer the current one.
      expect(await store.definitions.review(KEY, 'a', { ...review, verdict: 'rejected' })).toBe(false)
      const [found] = await store.definitions.load('crm')
      expect(found?.versions.map(version => version.review)).toEqual([review, undefined])
    })

    it('are reviewed in bulk, and reviews of versions that are no longer current are returned', async () => {
      const [store, other] = [await open(), await open()]
      const names = ['find', 'list', 'read']
      const review = { verdict: 'approved', by: 'ada', at: 5 } as const
      await see(store, 1, ...names.map(name => seen('a', name)))
      await see(store, 2, seen('a'), seen('b', 'list'), seen('a', 'read'))
      const reviews = names.map(name => ({ ...KEY, name, fingerprint: 'a', review }))
      const before = other.version()
      const refused = await store.definitions.reviewAll(reviews)
      expect(refused.map(one => reviews.indexOf(one as (typeof reviews)[number]))).toEqual([1])
      await untilGrown(other, before)
      const found = await other.definitions.load('crm')
      expect(found.map(({ name, versions }) => [name, ...versions.map(version => version.review)])).toEqual([
        ['find', review],
        ['list', undefined, undefined],
        ['read', review],
      ])
      expect(await store.definitions.reviewAll([])).toEqual([])
    })

    it('are deleted only if unreviewed and followed by many newer ones', async () => {
      const store = await open()
      await see(store, 1, seen('approved'), seen('x', 'gone'), seen('x', 'off'), seen('x', 'known'))
      await store.definitions.review(KEY, 'approved', { verdict: 'approved', by: 'ada', at: 5 })
      const known = { ...KEY, name: 'known' }
      await store.definitions.review(known, 'x', { verdict: 'rejected', by: 'ada', at: 5 })
      await store.definitions.disable({ ...KEY, name: 'off' }, true)
      for (let at = 2; at <= 110; at++) await see(store, at, seen(`v${at}`))
      const [found] = await store.definitions.load('crm', KEY)
      const kept = found?.versions.map(version => version.fingerprint) ?? []
      expect(kept).toHaveLength(102)
      expect([kept[0], kept[1], kept.at(-1), found?.current]).toEqual(['approved', 'v10', 'v110', 'v110'])
      const others = Array.from({ length: 1100 }, (_, index) => seen('x', `other ${index}`))
      await see(store, 200, ...others)
      await see(store, 201, seen('v110'))
      const names = (await store.definitions.load('crm')).map(({ name }) => name)
      // The newest thousand definitions and the three reviewed ones remain.
      expect(names).toHaveLength(1003)
      expect(names.filter(name => !name.startsWith('other'))).toEqual(['find', 'known', 'off'])
      const reviewed = await store.definitions.loadReviewed('crm')
      expect(reviewed.filter(({ versions }) => versions.length > 0).map(({ name }) => name)).toEqual([
        'find',
        'known',
      ])
      expect(reviewed.find(({ name }) => name === 'find')).toMatchObject({
        current: 'v110',
        versions: [{ fingerprint: 'approved' }],
      })
    })

    it('are deleted oldest first if they are long, except current and reviewed ones', async () => {
      const store = await open()
      const long = (fingerprint: string) => ({
        ...seen(fingerprint),
        definition: JSON.stringify({ fingerprint, text: 'x'.repeat(16 * 1024 * 1024) }),
      })
      const still = seen('still', 'other')
      await see(store, 1, long('approved'), still)
      await store.definitions.review(KEY, 'approved', { verdict: 'approved', by: 'ada', at: 5 })
      for (const print of ['a', 'b'])
        await store.definitions.see('others', { kinds: ['tool'], definitions: [seen(print)] }, 1)
      for (let at = 2; at <= 6; at++) await see(store, at, long(`v${at}`), still)
      const kept = async (server: string) =>
        (await store.definitions.load(server)).map(({ versions }) => versions.map(one => one.fingerprint))
      // Each row has an overhead, so the budget has no space for a fourth version.
      expect(await kept('crm')).toEqual([['approved', 'v4', 'v5', 'v6'], ['still']])
      await see(store, 7, { ...seen('huge'), definition: JSON.stringify('x'.repeat(65 * 1024 * 1024)) })
      expect(await kept('crm')).toEqual([['approved', 'huge']])
      expect(await kept('others')).toEqual([['a', 'b']])
    })

    it('are deleted if they are long and their server no longer sends them', async () => {
      const store = await open()
      const long = (name: string) => ({ ...seen('a', name), definition: `"${'x'.repeat(40 * 1024 * 1024)}"` })
      await see(store, 1, long('first'))
      await see(store, 2, long('second'))
      await see(store, 3, seen('a'))
      expect((await store.definitions.load('crm')).map(({ name }) => name)).toEqual(['find', 'second'])
    })

    it('can be disabled and enabled again', async () => {
      const store = await open()
      expect(await store.definitions.disable(KEY, true)).toBe(false)
      await see(store, 1, seen('a'))
      expect(await store.definitions.disable(KEY, true)).toBe(true)
      expect((await store.definitions.load('crm'))[0]?.isDisabled).toBe(true)
      await see(store, 2, seen('b'))
      expect((await store.definitions.load('crm'))[0]?.isDisabled).toBe(true)
      await store.definitions.disable(KEY, false)
      expect((await store.definitions.load('crm'))[0]?.isDisabled).toBe(false)
    })

    it("notify other processes only of an operator's changes", async () => {
      const [mine, other] = [await open(), await open()]
      const before = other.version()
      await see(mine, 1, seen('a'))
      expect(other.version()).toBe(before)
      await mine.definitions.review(KEY, 'a', { verdict: 'approved', by: 'ada', at: 1 })
      await untilGrown(other, before)
      const after = other.version()
      await mine.definitions.disable(KEY, true)
      await untilGrown(other, after)
    })
  })
}

export function describeOverrides(open: Open): void {
  describe('overrides', () => {
    const override = { server: 'crm', tool: 'find', hints: { readOnly: true }, by: 'ada', at: 1 } as const

    it('keep the last value for each server and tool, and notify others', async () => {
      const [mine, other] = [await open(), await open()]
      const before = other.version()
      await mine.overrides.set(override)
      await mine.overrides.set({ ...override, hints: { readOnly: false }, at: 2 })
      await mine.overrides.set({ ...override, tool: '*' })
      expect(await other.overrides.list()).toEqual([
        { ...override, tool: '*' },
        { ...override, hints: { readOnly: false }, at: 2 },
      ])
      await untilGrown(other, before)
    })

    it('are removed once', async () => {
      const store = await open()
      const change = { by: 'bob', at: 2 }
      await store.overrides.set(override)
      expect(await store.overrides.remove('crm', 'find', change)).toBe(true)
      expect(await store.overrides.remove('crm', 'find', change)).toBe(false)
      expect(await store.overrides.list()).toEqual([])
    })

    it('keep a permanent, ordered history of who set and removed them', async () => {
      const store = await open()
      await store.overrides.set(override)
      await store.overrides.set({ ...override, tool: '*' })
      await store.overrides.set({ ...override, hints: { readOnly: false }, by: 'bob', at: 2 })
      await store.overrides.remove('crm', 'find', { by: 'eve', at: 3 })
      await store.overrides.remove('crm', 'find', { by: 'eve', at: 4 })
      expect(await store.overrides.history('crm', 'find')).toEqual([
        { hints: { readOnly: true }, by: 'ada', at: 1 },
        { hints: { readOnly: false }, by: 'bob', at: 2 },
        { by: 'eve', at: 3 },
      ])
      expect((await store.overrides.history('crm', '*')).length).toBe(1)
      expect(await store.overrides.history('crm', 'other')).toEqual([])
    })
  })
}
