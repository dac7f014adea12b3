import { describe, expect, it } from 'vitest'
import type { StoredApproval } from './approval-store.ts'
import { untilGrown } from './contract-waiting.ts'
import type { Store } from './store.ts'
import type { StoredTask } from './task-store.ts'

const QUOTA = { open: 3, over: 2, bytes: 100 }

const task = (id: string, more: Partial<StoredTask> = {}): StoredTask => ({
  id,
  principal: 'agent:bot',
  state: 'waiting',
  approval: 'ap_1',
  createdAt: 100,
  updatedAt: 100,
  expiresAt: 10_000,
  version: 1,
  call: 'sealed call',
  ...more,
})

const approval = (id: string, expiresAt = 9000): StoredApproval => ({
  id,
  principal: 'agent:bot',
  session: 'agent:bot/1',
  tool: 'crm:pay',
  binding: id,
  channel: 'person',
  shown: '{}',
  state: 'pending',
  createdAt: 1,
  expiresAt,
})

export function describeTasks(open: () => Promise<Store>): void {
  describe('tasks', () => {
    it('are found with every field, but only by their caller and until they expire', async () => {
      const [one, other] = [await open(), await open()]
      const full = task('t', { holder: 'me', seenAt: 7, questions: 'q', ending: 'e', note: 'n' })
      expect(await one.tasks.insert(full, QUOTA)).toBe(true)
      expect(await other.tasks.find('t', 200)).toEqual(full)
      expect(await other.tasks.find('t', 200, 'agent:bot')).toEqual(full)
      expect(await other.tasks.find('t', 200, 'agent:other')).toBeUndefined()
      expect(await other.tasks.find('t', 10_000, 'agent:bot')).toBeUndefined()
      expect(await other.tasks.find('u', 200)).toBeUndefined()
      expect(await other.tasks.removeExpired(9999)).toBe(0)
      expect(await other.tasks.removeExpired(10_000)).toBe(1)
    })

    it('are limited for each caller while they are open', async () => {
      const { tasks } = await open()
      for (const id of ['a', 'b', 'c']) await tasks.insert(task(id), QUOTA)
      expect(await tasks.insert(task('d'), QUOTA)).toBe(false)
      expect(await tasks.insert(task('d', { principal: 'agent:other' }), QUOTA)).toBe(true)
      await tasks.change('a', { states: ['waiting'] }, { state: 'cancelled' })
      expect(await tasks.insert(task('e'), QUOTA)).toBe(true)
      expect(await tasks.insert(task('f', { createdAt: 10_000 }), QUOTA)).toBe(true)
      const long = task('g', { principal: 'agent:long', call: 'x'.repeat(60) })
      expect(await tasks.insert(long, QUOTA)).toBe(true)
      expect(await tasks.insert({ ...long, id: 'h' }, QUOTA)).toBe(false)
    })

    it('are claimed by only one of many processes', async () => {
      const [one, other] = [await open(), await open()]
      await one.tasks.insert(task('t'), QUOTA)
      const claims = await Promise.all(
        Array.from({ length: 20 }, (_, at) =>
          (at % 2 ? one : other).tasks.change(
            't',
            { states: ['waiting'] },
            { state: 'claimed', holder: `p${at}` },
          ),
        ),
      )
      expect(claims.filter(Boolean)).toHaveLength(1)
      const holder = `p${claims.indexOf(true)}`
      expect((await other.tasks.find('t', 200))?.holder).toBe(holder)
      const sending = { state: 'sent', updatedAt: 300 } as const
      expect(await one.tasks.change('t', { states: ['claimed'], holder: 'stranger' }, sending)).toBe(false)
      expect(await one.tasks.change('t', { states: ['claimed'], holder }, sending)).toBe(true)
      expect(await one.tasks.change('t', { states: ['claimed'], holder }, sending)).toBe(false)
    })

    it('are changed only in the version that was read, and values can be removed', async () => {
      const { tasks } = await open()
      await tasks.insert(task('t', { state: 'asking', questions: 'q1', note: 'n' }), QUOTA)
      const condition = { states: ['asking'], version: 1 } as const
      expect(await tasks.change('t', condition, { questions: 'q2', updatedAt: 5 })).toBe(true)
      expect(await tasks.change('t', condition, { questions: 'q3' })).toBe(false)
      expect(await tasks.change('t', { states: ['asking'] }, { questions: undefined })).toBe(true)
      const { questions: _, ...rest } = task('t', { state: 'asking', note: 'n', updatedAt: 5, version: 3 })
      expect(await tasks.find('t', 200)).toEqual(rest)
    })

    it('are due once a person has decided, the approval has expired, or it is gone', async () => {
      const { tasks, approvals } = await open()
      await approvals.insert(approval('ap_1'))
      await approvals.insert(approval('ap_2', 500))
      await tasks.insert(task('a'), QUOTA)
      await tasks.insert(task('b', { approval: 'ap_2', createdAt: 101 }), QUOTA)
      expect(await tasks.listDue(200)).toEqual([])
      expect(await tasks.nextExpiry()).toBe(500)
      expect(await tasks.listDue(500)).toEqual(['b'])
      await approvals.decide('ap_1', 'denied', { by: 'person:ada', via: 'cli', at: 300 })
      expect(await tasks.listDue(300)).toEqual(['a'])
      await tasks.insert(task('c', { approval: 'ap_3', createdAt: 102 }), QUOTA)
      expect(await tasks.listDue(300)).toEqual(['a', 'c'])
      for (const id of ['a', 'b', 'c']) await tasks.change(id, { states: ['waiting'] }, { state: 'claimed' })
      expect(await tasks.listDue(5000)).toEqual([])
      expect(await tasks.nextExpiry()).toBeUndefined()
    })

    it('are listed while a process runs them, with the last sign of that process', async () => {
      const { tasks } = await open()
      await tasks.insert(task('a'), QUOTA)
      await tasks.insert(task('b'), QUOTA)
      await tasks.change('a', { states: ['waiting'] }, { state: 'claimed', holder: 'me', seenAt: 1 })
      await tasks.renew('a', 'stranger', 2)
      await tasks.renew('a', 'me', 3)
      expect((await tasks.listHeld()).map(({ id, seenAt }) => [id, seenAt])).toEqual([['a', 3]])
    })

    it('that are over are kept up to a number and a size for each caller, newest first', async () => {
      const { tasks } = await open()
      const end = { states: ['waiting'] } as const
      for (const [at, id] of ['a', 'b', 'c'].entries()) {
        await tasks.insert(task(id), QUOTA)
        await tasks.change(id, end, { state: 'completed', ending: 'x'.repeat(40), updatedAt: at })
      }
      await tasks.insert(task('open'), QUOTA)
      await tasks.trim('agent:other', QUOTA)
      expect(await tasks.find('a', 200)).toBeDefined()
      await tasks.trim('agent:bot', QUOTA)
      expect(await tasks.find('a', 200)).toBeUndefined()
      expect(await tasks.find('b', 200)).toBeDefined()
      await tasks.trim('agent:bot', { ...QUOTA, bytes: 50 })
      expect(await tasks.find('b', 200)).toBeUndefined()
      expect(await tasks.find('c', 200)).toBeDefined()
      expect(await tasks.find('open', 200)).toBeDefined()
    })

    it('announce their changes to other processes, but not each sign of life', async () => {
      const [one, other] = [await open(), await open()]
      const before = other.version()
      await one.tasks.insert(task('t'), QUOTA)
      await untilGrown(other, before)
      const inserted = other.version()
      await one.tasks.change('t', { states: ['waiting'] }, { state: 'claimed', holder: 'me' })
      await untilGrown(other, inserted)
      const claimed = one.version()
      await one.tasks.renew('t', 'me', 5)
      expect(one.version()).toBe(claimed)
    })
  })
}
