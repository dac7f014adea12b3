import { describe, expect, it } from 'vitest'
import type { ApprovalDecision, StoredApproval } from './approval-store.ts'
import type { StoredSession } from './session-store.ts'
import type { Store } from './store.ts'

type Open = () => Promise<Store>

function example(id: string, fields: Partial<StoredApproval> = {}): StoredApproval {
  return {
    id,
    principal: 'agent:bot',
    session: 'agent:bot/1',
    tool: 'crm:delete_contact',
    binding: 'binding-a',
    channel: 'any',
    shown: '{"title":"Delete contact"}',
    state: 'pending',
    createdAt: 1000,
    expiresAt: 9000,
    ...fields,
  }
}

const BY_ADA: ApprovalDecision = { by: 'person:ada', via: 'cli', at: 2000 }

export function describeApprovals(open: Open): void {
  describe('approvals', () => {
    it('are found by id and by binding, with every field', async () => {
      const { approvals } = await open()
      const decided = example('b', {
        state: 'denied',
        channel: 'person',
        decision: { ...BY_ADA, note: 'no' },
      })
      await approvals.insert(example('a', { binding: 'other' }))
      await approvals.insert(decided)
      expect(await approvals.find('b')).toEqual(decided)
      expect(await approvals.find('c')).toBeUndefined()
      expect(await approvals.findByBinding('binding-a', 2000)).toEqual(decided)
      expect(await approvals.findByBinding('binding-a', 2000, ['pending', 'approved'])).toBeUndefined()
      expect(await approvals.findByBinding('binding-a', 9000)).toBeUndefined()
      expect((await approvals.list({ now: 2000 })).map(({ id }) => id)).toEqual(['a', 'b'])
      expect((await approvals.list({ now: 2000, states: ['pending'] })).map(({ id }) => id)).toEqual(['a'])
      expect(await approvals.list({ now: 9000 })).toEqual([])
    })

    it('are counted while they are pending', async () => {
      const { approvals } = await open()
      for (const id of ['a', 'b', 'c']) await approvals.insert(example(id))
      await approvals.insert(example('other', { principal: 'agent:other' }))
      await approvals.insert(example('over', { expiresAt: 1500 }))
      await approvals.decide('a', 'denied', BY_ADA)
      expect(await approvals.countPending('agent:bot', 2000)).toBe(2)
      expect(await approvals.countPending('agent:nobody', 2000)).toBe(0)
      expect((await approvals.listPending(2000)).toSorted()).toEqual(['b', 'c', 'other'])
    })

    it('are decided only once, and only before they expire', async () => {
      const { approvals } = await open()
      await approvals.insert(example('a'))
      await approvals.insert(example('late'))
      expect(await approvals.decide('late', 'approved', { ...BY_ADA, at: 9000 })).toBe(false)
      expect(await approvals.decide('a', 'denied', { ...BY_ADA, note: 'not today' })).toBe(true)
      expect(await approvals.decide('a', 'approved', BY_ADA)).toBe(false)
      expect(await approvals.decide('nobody', 'approved', BY_ADA)).toBe(false)
      expect(await approvals.find('a')).toMatchObject({
        state: 'denied',
        decision: { ...BY_ADA, note: 'not today' },
      })
    })

    it('that last are found until they expire or a person revokes them, once and on every connection', async () => {
      const [one, other] = [await open(), await open()]
      const lasting = example('gr_a', { state: 'standing', remembers: 'rule', decision: BY_ADA })
      await one.approvals.insert(lasting)
      await one.approvals.insert(example('gr_b', { state: 'standing', binding: 'binding-b' }))
      expect(await other.approvals.find('gr_a')).toEqual(lasting)
      expect(await other.approvals.findByBinding('binding-a', 8999, ['standing'])).toEqual(lasting)
      expect(await other.approvals.findByBinding('binding-a', 9000, ['standing'])).toBeUndefined()
      const revocation = { by: 'person:eve', at: 3000 }
      const tries = [one, other, one, other].map(store => store.approvals.revoke('gr_a', revocation))
      expect((await Promise.all(tries)).filter(Boolean)).toHaveLength(1)
      for (const store of [one, other])
        expect(await store.approvals.findByBinding('binding-a', 3001, ['standing'])).toBeUndefined()
      expect(await other.approvals.find('gr_a')).toEqual({
        ...lasting,
        revokedBy: 'person:eve',
        revokedAt: 3000,
      })
      expect(await one.approvals.revoke('gr_b', { by: 'person:eve', at: 9000 })).toBe(false)
      expect(await one.approvals.revoke('gr_c', revocation)).toBe(false)
      expect(await one.approvals.findByBinding('binding-b', 8000, ['standing'])).toBeDefined()
    })

    it('that are pending, approved or denied cannot be revoked', async () => {
      const { approvals } = await open()
      for (const state of ['pending', 'approved', 'denied', 'spent'] as const) {
        await approvals.insert(example(state, { state }))
        expect(await approvals.revoke(state, { by: 'person:eve', at: 3000 })).toBe(false)
      }
    })

    it('are spent exactly once under concurrent attempts', async () => {
      const [one, other] = [await open(), await open()]
      await one.approvals.insert(example('a'))
      expect(await one.approvals.spend('a', 'binding-a', 2500)).toBe(false)
      await other.approvals.decide('a', 'approved', BY_ADA)
      expect(await one.approvals.spend('a', 'binding-b', 2500)).toBe(false)
      expect(await one.approvals.spend('a', 'binding-a', 9000)).toBe(false)
      const tries = Array.from({ length: 40 }, (_, at) =>
        (at % 2 === 0 ? one : other).approvals.spend('a', 'binding-a', 2500, `task_${at}`),
      )
      const spent = await Promise.all(tries)
      expect(spent.filter(Boolean)).toHaveLength(1)
      const spentBy = `task_${spent.indexOf(true)}`
      expect(await one.approvals.find('a')).toMatchObject({ state: 'spent', spentBy })
      expect(await one.approvals.findByBinding('binding-a', 2500)).toBeUndefined()
    })

    it('notify listeners when they are decided', async () => {
      const [one, other] = [await open(), await open()]
      await one.approvals.insert(example('a'))
      const heard = new Promise<void>(resolve => one.onChange(resolve))
      await other.approvals.decide('a', 'approved', BY_ADA)
      await heard
    })

    it('are deleted a long time after they expired', async () => {
      const { approvals } = await open()
      await approvals.insert(example('old', { expiresAt: 1500 }))
      await approvals.insert(example('new'))
      expect(await approvals.removeBefore(2000)).toBe(1)
      expect(await approvals.find('old')).toBeUndefined()
      expect(await approvals.find('new')).toBeDefined()
    })

    it('are deleted after they have expired, if their caller has many newer ones', async () => {
      const { approvals } = await open()
      const now = 2000
      const at = (createdAt: number, more: object = {}) => ({ createdAt, expiresAt: 9000, ...more })
      const byClient = { state: 'denied', decision: { ...BY_ADA, via: 'elicitation' } }
      const byModern = { state: 'denied', decision: { ...BY_ADA, via: 'input_required' } }
      await approvals.insert(example('declined', at(1, byClient)))
      await approvals.insert(example('declined too', at(1, byModern)))
      await approvals.insert(example('spent', at(2, { state: 'spent' })))
      await approvals.insert(example('late', at(3, { expiresAt: 1000 })))
      await approvals.insert(example('newest', at(4, byClient)))
      await approvals.insert(example('denied', at(0, { state: 'denied', decision: BY_ADA })))
      await approvals.insert(example('open', at(0)))
      await approvals.insert(example('lasting', at(0, { state: 'standing' })))
      await approvals.insert(example('theirs', at(0, { ...byClient, principal: 'agent:other' })))
      const { principal } = example('x')
      expect(await approvals.removeOver(principal, 1, now)).toBe(4)
      for (const id of ['newest', 'denied', 'open', 'lasting', 'theirs'])
        expect(await approvals.find(id), id).toBeDefined()
      expect(await approvals.removeOver(principal, 1, now)).toBe(0)
    })

    it.each(['approved', 'standing'] as const)(
      'that are %s are deleted only to make room for newer ones from the same caller',
      async state => {
        const { approvals } = await open()
        for (const [index, id] of ['oldest', 'older', 'new', 'newest'].entries())
          await approvals.insert(example(id, { state, createdAt: index, decision: BY_ADA }))
        for (const id of ['spent', 'spent too'])
          await approvals.insert(example(id, { state: 'spent', createdAt: 1500 }))
        await approvals.insert(example('theirs', { state, createdAt: 0, principal: 'agent:other' }))
        expect(await approvals.removeOver('agent:bot', 2, 2000)).toBe(2)
        const left = await approvals.list({ now: 2000, states: [state] })
        expect(left.map(({ id }) => id)).toEqual(['newest', 'new', 'theirs'])
      },
    )
  })
}

export function describeSessions(open: Open): void {
  const session = (id: string, usedAt: number): StoredSession => ({
    id,
    principal: 'agent:bot',
    riskFactors: '{"external_communication":{}}',
    usedAt,
  })

  describe('sessions', () => {
    it('collect risk factors until they end, and are listed by their last use', async () => {
      const [{ sessions }, other] = [await open(), await open()]
      await sessions.save(session('a', 1), 0)
      await sessions.save(session('b', 2), 0)
      await other.sessions.save({ ...session('a', 3), riskFactors: '{"private_data":{"at":3}}' }, 0)
      const riskFactors = JSON.stringify({ external_communication: {}, private_data: { at: 3 } })
      expect(await sessions.find('a')).toEqual({ ...session('a', 3), riskFactors })
      await sessions.save({ ...session('b', 30), riskFactors: '{}' }, 20)
      expect(await sessions.find('b')).toEqual({ ...session('b', 30), riskFactors: '{}' })
      await sessions.save(session('b', 2), 0)
      expect(await sessions.find('c')).toBeUndefined()
      expect((await sessions.list(10)).map(({ id }) => id)).toEqual(['b', 'a'])
      expect(await sessions.list(1)).toHaveLength(1)
    })

    it('keep external communication that was stored under its former name', async () => {
      const { sessions } = await open()
      const mark = (tool: string) => ({ tool, request: 'r', at: 1, basis: 'declared' })
      const old = { untrusted_content: mark('web:fetch'), way_out: mark('mail:send') }
      await sessions.save({ ...session('old', 1), riskFactors: JSON.stringify(old) }, 0)
      const kept = { external_communication: mark('mail:send'), untrusted_content: mark('web:fetch') }
      const [listed] = await sessions.list(1)
      expect(JSON.parse(listed?.riskFactors ?? '')).toEqual(kept)
      const added = { private_data: mark('files:read') }
      await sessions.save({ ...session('old', 2), riskFactors: JSON.stringify(added) }, 0)
      const found = await sessions.find('old')
      expect(JSON.parse(found?.riskFactors ?? '')).toEqual({ ...kept, ...added })
    })

    it('keep a declared risk factor if another process adds an assumed one', async () => {
      const [{ sessions }, other] = [await open(), await open()]
      const mark = (basis: string) => ({
        private_data: { tool: 'files:read', request: basis, at: 1, basis },
      })
      for (const basis of ['assumed', 'declared', 'assumed'])
        await other.sessions.save({ ...session('a', 1), riskFactors: JSON.stringify(mark(basis)) }, 0)
      const found = await sessions.find('a')
      expect(JSON.parse(found?.riskFactors ?? '')).toEqual(mark('declared'))
    })

    it('keep every risk factor under concurrent additions', async () => {
      const [one, other] = [await open(), await open()]
      const names = Array.from({ length: 20 }, (_, index) => `factor_${index}`)
      const saved = names.map((name, index) =>
        (index % 2 ? one : other).sessions.save(
          { ...session('a', index), riskFactors: JSON.stringify({ [name]: {} }) },
          0,
        ),
      )
      await Promise.all(saved)
      const found = await one.sessions.find('a')
      expect(Object.keys(JSON.parse(found?.riskFactors ?? '{}') as object).toSorted()).toEqual(
        names.toSorted(),
      )
      expect(found?.usedAt).toBe(19)
    })

    it('notify other processes only when one is reset', async () => {
      const [one, other] = [await open(), await open()]
      const before = one.version()
      await other.sessions.save(session('a', 1), 0)
      expect(one.version()).toBe(before)
      const heard = new Promise<void>(resolve => one.onChange(resolve))
      expect(await other.sessions.reset('a')).toBe(true)
      await heard
      expect(await one.sessions.find('a')).toBeUndefined()
      expect(await one.sessions.reset('a')).toBe(false)
    })

    it('are deleted when they have not been used for a long time', async () => {
      const { sessions } = await open()
      await sessions.save(session('a', 1), 0)
      await sessions.save(session('b', 20), 0)
      expect(await sessions.removeBefore(10)).toBe(1)
      expect((await sessions.list(10)).map(({ id }) => id)).toEqual(['b'])
    })
  })
}
