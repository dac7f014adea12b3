import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { hasCode } from '../base/errors.ts'
import { describeApprovals, describeSessions } from './contract-approvals.ts'
import { describeAudit } from './contract-audit.ts'
import { describeDefinitions, describeOverrides } from './contract-definitions.ts'
import { describeNotifications } from './contract-notifications.ts'
import { describePassages } from './contract-passages.ts'
import { describeRates } from './contract-rates.ts'
import { describeQuota, describeResults } from './contract-results.ts'
import { describeSecrets } from './contract-secrets.ts'
import { describeTasks } from './contract-tasks.ts'
import { exampleToken } from './contract-tokens.ts'
import { untilGrown } from './contract-waiting.ts'
import type { Store } from './store.ts'

/** A new, empty store location, at which a test can open any number of stores. */
export interface StorePlace {
  open(): Promise<Store>
  remove(): Promise<void>
}

/** The tests that every storage backend must pass. Two stores opened at the same location act as two processes. */
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
    describeNotifications(open)
    describeTasks(open)
    describePassages(open)
    describeAudit(open)
    describeRates(open)
    describeSecrets(open)
  })
}

type Open = () => Promise<Store>

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

    it('are listed by name, including revoked ones', async () => {
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

    it('are kept when revoked, and still found by their hash', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      expect(await store.tokens.revoke('bot', 77)).toBe(true)
      expect(await store.tokens.findByHash('hash-of-bot')).toMatchObject({ revokedAt: 77 })
      expect(await store.tokens.revoke('bot', 88)).toBe(false)
      expect(await store.tokens.findByName('bot')).toMatchObject({ revokedAt: 77 })
      expect(await store.tokens.revoke('nobody', 88)).toBe(false)
    })

    it('are revoked by hash even if another token now has their name', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      await store.tokens.revoke('bot', 77)
      await store.tokens.insert(exampleToken('bot', { hash: 'other' }))
      expect(await store.tokens.revokeHash('hash-of-bot', 88)).toBe(false)
      expect(await store.tokens.findByName('bot')).toEqual(exampleToken('bot', { hash: 'other' }))
      expect(await store.tokens.revokeHash('other', 99)).toBe(true)
      expect(await store.tokens.revokeHash('other', 100)).toBe(false)
      expect(await store.tokens.findByName('bot')).toMatchObject({ revokedAt: 99 })
    })

    it('refuse the name of an active token, and reuse that of a revoked one', async () => {
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

    it('rotate their secret and keep their scope', async () => {
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

    it('of the config remember when they were last used, keeping the newest time', async () => {
      const [store, other] = [await open(), await open()]
      await store.tokens.noteUse('bot', 200)
      await other.tokens.noteUse('bot', 100)
      await other.tokens.noteUse('cat', 300)
      const wanted = new Map([
        ['bot', 200],
        ['cat', 300],
      ])
      expect(await store.tokens.listUses()).toEqual(wanted)
    })

    it('survive closing and reopening', async () => {
      const first = await open()
      await first.tokens.insert(exampleToken('bot'))
      await first.close()
      expect(await (await open()).tokens.findByName('bot')).toEqual(exampleToken('bot'))
    })
  })
}

function describeRaces(open: Open): void {
  describe('concurrent', () => {
    it('inserts of one name succeed exactly once', async () => {
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

    it('revocations of one name succeed exactly once, and that time is kept', async () => {
      const [one, two] = await Promise.all([open(), open()])
      await one.tokens.insert(exampleToken('bot'))
      const won = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).tokens.revoke('bot', at)),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
      expect(await two.tokens.findByName('bot')).toMatchObject({ revokedAt: won.indexOf(true) })
    })

    it('revocations of one secret succeed exactly once', async () => {
      const [one, two] = await Promise.all([open(), open()])
      await one.tokens.insert(exampleToken('bot'))
      const won = await Promise.all(
        Array.from({ length: 10 }, (_, at) => (at % 2 ? one : two).tokens.revokeHash('hash-of-bot', at)),
      )
      expect(won.filter(Boolean)).toHaveLength(1)
    })

    it('rotation and revocation never leave an active token', async () => {
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
    it('increase the version, whichever process makes them', async () => {
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

    it('that have no effect leave the version unchanged', async () => {
      const store = await open()
      await store.tokens.insert(exampleToken('bot'))
      const before = store.version()
      await store.tokens.revoke('nobody', 1)
      await store.tokens.list()
      await expect(store.tokens.insert(exampleToken('bot'))).rejects.toMatchObject({ code: 'name_taken' })
      expect(store.version()).toBe(before)
    })

    it('are announced to all listeners within a second', async () => {
      const [one, two] = await Promise.all([open(), open()])
      const heard = (store: Store) => new Promise<void>(resolve => store.onChange(resolve))
      const both = Promise.all([heard(one), heard(two)])
      await one.tokens.insert(exampleToken('bot'))
      const late = new Promise((_, reject) => setTimeout(reject, 1000, new Error('too late')))
      await Promise.race([both, late])
    })

    it('are not announced to a removed listener', async () => {
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
  it('remembers the era of a server with its definition', async () => {
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
