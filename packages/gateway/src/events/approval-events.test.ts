import { describe, expect, it } from 'vitest'
import type { StoredApproval } from '../store/approval-store.ts'
import { ApprovalEvents } from './approval-events.ts'
import type { EventHub } from './event-hub.ts'

describe('events of approvals', () => {
  it('query the open approvals once, and read only those that were decided', async () => {
    const told: unknown[] = []
    const hub = {
      emit: (type: string, event: object) => told.push({ type, ...event }),
    } as unknown as EventHub
    const rows = new Map<string, StoredApproval>()
    const looks = { finds: 0, lists: 0 }
    const events = new ApprovalEvents(hub, {
      find: async id => {
        looks.finds += 1
        return rows.get(id)
      },
      listPending: async () => {
        looks.lists += 1
        return [...rows.values()].filter(({ state }) => state === 'pending').map(({ id }) => id)
      },
    })
    for (let at = 0; at < 100; at += 1) {
      const row = {
        id: `ap_${at}`,
        tool: 's:t',
        principal: 'a',
        state: 'pending',
        expiresAt: 1,
      } as StoredApproval
      rows.set(row.id, row)
      events.asked(row)
      void events.look()
    }
    rows.set('ap_7', { ...(rows.get('ap_7') as StoredApproval), state: 'denied' })
    await events.look()
    expect(told.slice(100)).toMatchObject([{ type: 'approval.decided', id: 'ap_7', verdict: 'denied' }])
    expect(looks.lists).toBeLessThanOrEqual(3)
    expect(looks.finds).toBe(1)
  })
})
