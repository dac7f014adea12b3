import { describe, expect, it } from 'vitest'
import type { StoredApproval } from './approval-store.ts'
import type { NotificationKey } from './notification-store.ts'
import type { Store } from './store.ts'

const KEEP = 3

const key = (approval: string, more: Partial<NotificationKey> = {}): NotificationKey => ({
  approval,
  channel: 'chat',
  kind: 'asked',
  ...more,
})

const approval: StoredApproval = {
  id: 'ap_1',
  principal: 'agent:bot',
  session: 'agent:bot/1',
  tool: 'crm:pay',
  binding: 'binding',
  channel: 'person',
  shown: '{}',
  state: 'pending',
  createdAt: 1,
  expiresAt: 9000,
}

export function describeNotifications(open: () => Promise<Store>): void {
  describe('notifications', () => {
    it('are claimed by only one process until the claim ends', async () => {
      const [{ notifications: one }, { notifications: other }] = [await open(), await open()]
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, at) => (at % 2 ? one : other).claim(key('a'), 100, 200)),
      )
      expect(claims.filter(Boolean)).toHaveLength(1)
      expect(await other.claim(key('a', { kind: 'closed' }), 100, 200)).toBe(true)
      expect(await other.claim(key('a', { channel: 'mail' }), 100, 200)).toBe(true)
      expect(await other.claim(key('a'), 199, 300)).toBe(false)
      expect(await other.claim(key('a'), 200, 300)).toBe(true)
      await other.renew(key('a'), 250)
      expect(await one.claim(key('a'), 249, 300)).toBe(false)
      expect(await one.claim(key('a'), 250, 400)).toBe(true)
      await other.finish(key('a'), { state: 'sent', attempts: 2, at: 210, reference: '17.4' }, KEEP)
      expect(await one.claim(key('a'), 1000, 2000)).toBe(false)
      expect(await one.list('a')).toContainEqual({
        ...key('a'),
        state: 'sent',
        attempts: 2,
        at: 210,
        reference: '17.4',
      })
    })

    it('that failed are kept with the reason, but only the newest ones', async () => {
      const { notifications } = await open()
      for (let at = 1; at <= 5; at += 1) {
        await notifications.claim(key(`a${at}`), at, at + 1)
        const failed = { state: 'failed', attempts: 4, at, error: `HTTP ${at}` } as const
        await notifications.finish(key(`a${at}`), failed, KEEP)
      }
      const failures = await notifications.failures(10)
      expect(failures.map(({ error }) => error)).toEqual(['HTTP 5', 'HTTP 4', 'HTTP 3'])
      expect(await notifications.failures(1)).toHaveLength(1)
      expect(await notifications.removeBefore(4)).toBe(1)
      expect(await notifications.failures(10)).toHaveLength(2)
    })

    it('are unclosed until the end of the approval was announced as well', async () => {
      const { notifications } = await open()
      for (const channel of ['chat', 'mail']) {
        await notifications.claim(key('a', { channel }), 1, 2)
        await notifications.finish(key('a', { channel }), { state: 'sent', attempts: 1, at: 1 }, KEEP)
      }
      await notifications.claim(key('b'), 1, 2)
      expect(await notifications.unclosed(['chat'])).toEqual(['a'])
      expect(await notifications.unclosed([])).toEqual([])
      await notifications.claim(key('a', { kind: 'closed' }), 2, 3)
      expect(await notifications.unclosed(['chat'])).toEqual([])
      expect(await notifications.unclosed(['mail', 'chat'])).toEqual(['a'])
    })
  })

  describe('votes on an approval', () => {
    it('count once for each person, and only while the approval is pending', async () => {
      const [{ approvals }, other] = [await open(), await open()]
      await approvals.insert(approval)
      const ada = { by: 'person:ada', via: 'slack', at: 100 }
      const cast = await Promise.all([
        approvals.vote('ap_1', ada),
        other.approvals.vote('ap_1', { ...ada, via: 'cli' }),
      ])
      expect(cast.filter(Boolean)).toHaveLength(1)
      expect(await approvals.vote('ap_1', { by: 'person:bob', via: 'cli', at: 200 })).toBe(true)
      expect((await other.approvals.votes('ap_1')).map(({ by }) => by)).toEqual(['person:ada', 'person:bob'])
      expect(await approvals.vote('ap_1', { by: 'person:eve', via: 'cli', at: 9000 })).toBe(false)
      expect(await approvals.vote('ap_2', ada)).toBe(false)
      await approvals.decide('ap_1', 'denied', { ...ada, at: 300 })
      expect(await approvals.vote('ap_1', { by: 'person:eve', via: 'cli', at: 400 })).toBe(false)
      await approvals.removeBefore(10_000)
      expect(await approvals.votes('ap_1')).toEqual([])
    })
  })

  describe('browsers that receive notifications', () => {
    const one = (id: string, createdAt: number, person = 'person:ada') => ({
      id,
      person,
      sealed: `sealed ${id}`,
      createdAt,
    })

    it('belong to a person, and each person can have only a few', async () => {
      const { pushSubscribers } = await open()
      await pushSubscribers.save(one('theirs', 1, 'person:bob'), 2)
      for (const at of [1, 2, 3]) await pushSubscribers.save(one(`b${at}`, at), 2)
      expect(await pushSubscribers.list('person:ada')).toEqual([one('b3', 3), one('b2', 2)])
      await pushSubscribers.save({ ...one('b2', 4), sealed: 'new' }, 2)
      expect((await pushSubscribers.list('person:ada')).map(({ id }) => id)).toEqual(['b2', 'b3'])
      expect(await pushSubscribers.remove('b2', 'person:bob')).toBe(false)
      expect(await pushSubscribers.remove('b2', 'person:ada')).toBe(true)
      expect(await pushSubscribers.remove('theirs')).toBe(true)
      expect(await (await open()).pushSubscribers.list()).toEqual([one('b3', 3)])
    })
  })
}
