import { describe, expect, it } from 'vitest'
import type { StoredApproval } from '../store/approval-store.ts'
import { DecisionWatch } from './decision-watch.ts'

/** Creates in-memory approvals and counts how often they are read. */
function open(count: number) {
  const rows = new Map<string, StoredApproval>()
  for (let at = 0; at < count; at += 1)
    rows.set(`ap_${at}`, { id: `ap_${at}`, state: 'pending', expiresAt: 9000 } as StoredApproval)
  const asked = new Set<string>()
  const looks = { finds: 0, lists: 0, listeners: 0 }
  let listener = (): void => {}
  let now = 1000
  const watch = new DecisionWatch({
    store: {
      find: async id => {
        looks.finds += 1
        return rows.get(id)
      },
      listPending: async moment => {
        looks.lists += 1
        const isOpen = ({ id, state, expiresAt }: StoredApproval) =>
          state === 'pending' && expiresAt > moment && asked.has(id)
        return [...rows.values()].filter(isOpen).map(({ id }) => id)
      },
    },
    onChange: changed => {
      looks.listeners += 1
      listener = changed
      return () => {
        looks.listeners -= 1
      }
    },
    now: () => now,
  })
  const decide = (id: string) => rows.set(id, { ...(rows.get(id) as StoredApproval), state: 'approved' })
  const waitFor = (id: string) => {
    asked.add(id)
    return watch.waitFor(id)
  }
  return {
    watch: { waitFor },
    looks,
    decide,
    change: () => listener(),
    pass: (moment: number) => (now = moment),
  }
}

describe('many callers that wait for decisions', () => {
  it('share one query and read an approval only when it is decided', async () => {
    const { watch, looks, decide, change } = open(200)
    const waiting = Array.from({ length: 400 }, (_, at) => watch.waitFor(`ap_${at % 200}`))
    for (let time = 0; time < 100; time += 1) change()
    decide('ap_7')
    change()
    const [one, other] = await Promise.all([waiting[7]?.decided, waiting[207]?.decided])
    expect([one, other]).toMatchObject([{ id: 'ap_7' }, { state: 'approved' }])
    // Changes during a query cause only one more query.
    expect(looks.lists).toBeLessThanOrEqual(3)
    expect(looks.finds).toBe(1)
    expect(looks.listeners).toBe(1)
    for (const { stop } of waiting) stop()
    expect(looks.listeners).toBe(0)
  })

  it('learn that an approval has expired or never existed', async () => {
    const { watch, change, pass } = open(1)
    const waiting = watch.waitFor('ap_0')
    expect(await watch.waitFor('ap_unknown').decided).toBeUndefined()
    pass(9000)
    change()
    expect(await waiting.decided).toBeUndefined()
  })

  it('notice a change that happens right after a query', async () => {
    const { watch, decide, change } = open(3)
    for (const id of ['ap_0', 'ap_1', 'ap_2']) {
      const { decided } = watch.waitFor(id)
      await Promise.resolve()
      decide(id)
      change()
      expect(await decided).toMatchObject({ id, state: 'approved' })
    }
  })

  it('all fail when the store cannot be read', async () => {
    const watch = new DecisionWatch({
      store: { find: async () => undefined, listPending: () => Promise.reject(new Error('gone')) },
      onChange: () => () => {},
      now: () => 0,
    })
    const both = ['a', 'b'].map(id => watch.waitFor(id).decided)
    for (const one of both) await expect(one).rejects.toThrow('gone')
  })
})
