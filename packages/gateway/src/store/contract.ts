import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasCode } from '../errors.ts'
import { describeApprovals, describeSessions } from './contract-approvals.ts'
import { describeAudit } from './contract-audit.ts'
import { describeDefinitions, describeOverrides } from './contract-definitions.ts'
import { untilGrown } from './contract-waiting.ts'
import type { KeptResult, ResultQuota, Store, StoredToken } from './store.ts'

/** A fresh, empty place, which may be opened many times. */
export interface StorePlace {
  open(): Promise<Store>
  remove(): Promise<void>
}

/** What every backend must do. Two stores opened on the same place stand for two processes. */
export function describeStore(name: string, createPlace: () => Promise<StorePlace>): void {
  describe(`the store on ${name}`, () => {
    let place: StorePlace
    let opened: Store[]
    const open = async (): Promise<Store> => {
      const store = await place.open()
      opened.push(store)
      return store
    }
    beforeEach(async () => {
      place = await createPlace()
      opened = []
    })
    afterEach(async () => {
      await Promise.all(opened.map(store => store.close()))
      await place.remove()
    })

    describeTokens(open)
    describeRaces(open)
    describeChanges(open)
    describeEras(open)
    describeResults(open)
    describeQuota(open)
    describeDefinitions(open)
    describeOverrides(open)
    describeApprovals(open)
    describeSessions(open)
    describeAudit(open)
  })
}

type Open = () => Promise<Store>

export function exampleToken(name: string, fields: Partial<StoredToken> = {}): StoredToken {
  const scope = { permissions: ['call_tool_read'], servers: ['crm', 'db-*'], tools: ['crm:get_*'] } as const
  return {
    name,
    kind: 'agent',
    hash: `hash-of-${name}`,
    hint: 'hg_agent_abcd…',
    scope,
    createdAt: 1000,
    ...fields,
  }
}

function describeTokens(open: Open): void {
  describe('tokens', () => {
    it('are found by hash and by name, with every field', async () => {
      const store = await open()
      const full = exampleToken('bot', { expiresAt: 2 ** 41, lastUsedAt: 5, kind: 'person' })
      await store.tokens.insert(full)
      await store.tokens.insert(exampleToken('plain'))
      expect(await store.tokens.findByHash(full.hash)).toEqual(full)
      expect(await store.tokens.findByName('plain')).toEqual(exampleToken('plain'))
      expect(await store.tokens.findByName('Plain')).toBeUndefined()
      expect(await store.tokens.findByHash('hash-of-nobody')).toBeUndefined()
    })

    it('are listed by name, revoked ones too', async () => {
      const store = await open()
      for (const name of ['b', 'c', 'a']) await store.tokens.insert(exampleToken(name))
      await store.tokens.revoke('b', 77)
      const listed = await store.tokens.list()
      expect(listed.map(token => [token.name, token.revokedAt])).toEqual([
        ['a', undefined],
        ['b', 77],
        ['c', undefined],
      ])
    })

    it('are kept when revoked, and found by their hash', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      expect(await store.tokens.revoke('bot', 77)).toBe(true)
      expect(await store.tokens.findByHash('hash-of-bot')).toMatchObject({ revokedAt: 77 })
      expect(await store.tokens.revoke('bot', 88)).toBe(false)
      expect(await store.tokens.findByName('bot')).toMatchObject({ revokedAt: 77 })
      expect(await store.tokens.revoke('nobody', 88)).toBe(false)
    })

    it('refuse a name that is in use, and take over one that was revoked', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot', { lastUsedAt: 5 }))
      const again = exampleToken('bot', { hash: 'other' })
      await expect(store.tokens.insert(again)).rejects.toMatchObject({ code: 'name_taken' })
      expect(await store.tokens.findByHash('other')).toBeUndefined()
      await store.tokens.revoke('bot', 77)
      await store.tokens.insert(again)
      expect(await store.tokens.findByName('bot')).toEqual(again)
      expect(await store.tokens.findByHash('hash-of-bot')).toBeUndefined()
    })

    it('swap their secret and keep their scope', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      expect(await store.tokens.rotate('bot', { hash: 'new', hint: 'n' })).toBe(true)
      expect(await store.tokens.findByHash('hash-of-bot')).toBeUndefined()
      expect(await store.tokens.findByHash('new')).toEqual(exampleToken('bot', { hash: 'new', hint: 'n' }))
      await store.tokens.revoke('bot', 77)
      expect(await store.tokens.rotate('bot', { hash: 'newer', hint: 'n' })).toBe(false)
      expect(await store.tokens.rotate('nobody', { hash: 'x', hint: 'n' })).toBe(false)
    })

    it('remember when they were last used', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      await store.tokens.touch('bot', 123)
      expect(await store.tokens.findByName('bot')).toMatchObject({ lastUsedAt: 123 })
      await store.tokens.touch('nobody', 123)
    })

    it('survive closing and opening again', async () => {
      const first = await open()
      await first.tokens.insert(exampleToken('bot'))
      await first.close()
      expect(await (await open()).tokens.findByName('bot')).toEqual(exampleToken('bot'))
    })
  })
}

function describeRaces(open: Open): void {
  describe('races', () => {
    it('of inserts with one name have exactly one winner', async () => {
      const [one, two] = await Promise.all([open(), open()])
      const attempts = Array.from({ length: 30 }, (_, index) =>
        (index % 2 ? one : two).tokens.insert(exampleToken('bot', { hash: `hash-${index}` })),
      )
      const results = await Promise.allSettled(attempts)
      const lost = results.flatMap(result => (result.status === 'rejected' ? [result.reason as unknown] : []))
      expect(lost).toHaveLength(29)
      expect(lost.every(reason => hasCode(reason, 'name_taken'))).toBe(true)
      const winner = results.findIndex(result => result.status === 'fulfilled')
      expect(await one.tokens.list()).toEqual([exampleToken('bot', { hash: `hash-${winner}` })])
    })

    it('of revoking have exactly one winner, whose time stays', async () => {
      const [one, two] = await Promise.all([open(), open()])
      await one.tokens.insert(exampleToken('bot'))
      const won = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).tokens.revoke('bot', at)),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await two.tokens.findByName('bot')).toMatchObject({ revokedAt: won.indexOf(true) })
    })

    it('of rotating and revoking never leave a live token', async () => {
      const [one, two] = await Promise.all([open(), open()])
      await one.tokens.insert(exampleToken('bot'))
      const [, revoked] = await Promise.all([
        one.tokens.rotate('bot', { hash: 'new', hint: 'n' }),
        two.tokens.revoke('bot', 77),
      ])
      expect(revoked).toBe(true)
      expect(await one.tokens.findByName('bot')).toMatchObject({ revokedAt: 77 })
    })
  })
}

function describeChanges(open: Open): void {
  describe('changes', () => {
    it('grow the version, by whomever they are made', async () => {
      const [one, two] = await Promise.all([open(), open()])
      const before = [one.version(), two.version()] as const
      await one.tokens.insert(exampleToken('bot'))
      expect(one.version()).toBeGreaterThan(before[0])
      await untilGrown(two, before[1])
      const between = [one.version(), two.version()] as const
      await two.tokens.revoke('bot', 77)
      expect(two.version()).toBeGreaterThan(between[1])
      await untilGrown(one, between[0])
    })

    it('that change nothing leave the version alone', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      const before = store.version()
      await store.tokens.revoke('nobody', 1)
      await store.tokens.list()
      await expect(store.tokens.insert(exampleToken('bot'))).rejects.toMatchObject({ code: 'name_taken' })
      expect(store.version()).toBe(before)
    })

    it('are announced to everybody within a second', async () => {
      const [one, two] = await Promise.all([open(), open()])
      const heard = (store: Store) => new Promise<void>(resolve => store.onChange(resolve))
      const both = Promise.all([heard(one), heard(two)])
      await one.tokens.insert(exampleToken('bot'))
      const late = new Promise((_, reject) => setTimeout(reject, 1000, new Error('too late')))
      await Promise.race([both, late])
    })

    it('are no longer announced to one who has left', async () => {
      const store = await open()
      let calls = 0
      const stop = store.onChange(() => (calls += 1))
      await store.tokens.insert(exampleToken('a'))
      expect(calls).toBe(1)
      stop()
      await store.tokens.insert(exampleToken('b'))
      expect(calls).toBe(1)
    })
  })
}

function describeEras(open: Open): void {
  it('remembers the era of a server as it was defined', async () => {
    const store = await open()
    await store.eras.remember('crm', 'definition-1', 'legacy')
    await store.eras.remember('crm', 'definition-2', 'modern')
    expect(await store.eras.find('crm', 'definition-1')).toBe('legacy')
    expect(await store.eras.find('crm', 'definition-2')).toBe('modern')
    expect(await store.eras.find('files', 'definition-1')).toBeUndefined()
    await store.eras.remember('crm', 'definition-1', 'modern')
    expect(await (await open()).eras.find('crm', 'definition-1')).toBe('modern')
  })
}

const PLENTY: ResultQuota = { ownerBytes: 1e6, totalBytes: 1e6 }

export function exampleResult(handle: string, fields: Partial<KeptResult> = {}): KeptResult {
  const body = '{"content":[]}'
  return { handle, owner: 'agent:bot', tool: 'crm:export', createdAt: 1000, expiresAt: 2000, body, ...fields }
}

function describeResults(open: Open): void {
  describe('kept results', () => {
    it('are found by their owner, with every field, until they expire', async () => {
      const store = await open()
      const body = '{"content":[{"type":"text","text":"naïve 🦔 \\u0000"}],"n":12345678901234567890}'
      const kept = exampleResult('res_1', { body, createdAt: 2 ** 41, expiresAt: 2 ** 42 })
      expect(await store.results.insert(kept, PLENTY)).toBe(true)
      expect(await store.results.find('res_1', 'agent:bot', 2 ** 42 - 1)).toEqual(kept)
      expect(await store.results.find('res_1', 'agent:bot', 2 ** 42)).toBeUndefined()
    })

    it('of somebody else are not there', async () => {
      const store = await open()
      await store.results.insert(exampleResult('res_1'), PLENTY)
      expect(await store.results.find('res_1', 'agent:other', 1500)).toBeUndefined()
      expect(await store.results.find('res_2', 'agent:bot', 1500)).toBeUndefined()
      expect(await store.results.find('RES_1', 'agent:bot', 1500)).toBeUndefined()
    })

    it('survive closing and opening again, and are there for other processes', async () => {
      const first = await open()
      await first.results.insert(exampleResult('res_1'), PLENTY)
      expect(await (await open()).results.find('res_1', 'agent:bot', 1500)).toEqual(exampleResult('res_1'))
      await first.close()
      expect(await (await open()).results.find('res_1', 'agent:bot', 1500)).toEqual(exampleResult('res_1'))
    })

    it('are forgotten when they have expired, by those who ask for it and by the next insert', async () => {
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

    it('are no change that anybody needs to be told of', async () => {
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

    it('do not take the place of another of the same handle', async () => {
      const store = await open()
      await store.results.insert(exampleResult('res_1'), PLENTY)
      const again = exampleResult('res_1', { owner: 'agent:other' })
      await expect(store.results.insert(again, PLENTY)).rejects.toThrow()
      expect(await store.results.find('res_1', 'agent:bot', 1500)).toEqual(exampleResult('res_1'))
    })
  })
}

function describeQuota(open: Open): void {
  describe('the quota of kept results', () => {
    const bytes = (count: number) => JSON.stringify('x'.repeat(count - 2))
    const found = async (store: Store, ...handles: string[]) => {
      const rows = await Promise.all(
        handles.flatMap(handle =>
          ['agent:bot', 'agent:other'].map(owner => store.results.find(handle, owner, 0)),
        ),
      )
      return rows.flatMap(row => (row === undefined ? [] : [row.handle]))
    }

    it("makes room with the owner's oldest, no more than needed", async () => {
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

    it('counts bytes, not characters', async () => {
      const store = await open()
      const hedgehog = (handle: string) => exampleResult(handle, { body: '"🦔"' })
      // Two quotes and four bytes each.
      await store.results.insert(hedgehog('a'), { ownerBytes: 12, totalBytes: 12 })
      await store.results.insert(hedgehog('b'), { ownerBytes: 12, totalBytes: 12 })
      expect(await found(store, 'a', 'b')).toEqual(['a', 'b'])
      await store.results.insert(hedgehog('c'), { ownerBytes: 99, totalBytes: 17 })
      expect(await found(store, 'a', 'b', 'c')).toEqual(['b', 'c'])
    })

    it('keeps what was made in the same millisecond in the order it came', async () => {
      const store = await open()
      const quota = { ownerBytes: 30, totalBytes: 1000 }
      for (const handle of ['c', 'a', 'b', 'd'])
        await store.results.insert(exampleResult(handle, { body: bytes(10) }), quota)
      expect(await found(store, 'a', 'b', 'c', 'd')).toEqual(['a', 'b', 'd'])
    })

    it('refuses what cannot fit, and forgets nothing for it', async () => {
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

    it('does not count what has expired', async () => {
      const store = await open()
      const quota = { ownerBytes: 100, totalBytes: 100 }
      await store.results.insert(exampleResult('old', { owner: 'agent:other', body: bytes(100) }), quota)
      const late = exampleResult('new', { createdAt: 2000, expiresAt: 3000, body: bytes(100) })
      expect(await store.results.insert(late, quota)).toBe(true)
    })

    it('holds when many insert at once', async () => {
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
