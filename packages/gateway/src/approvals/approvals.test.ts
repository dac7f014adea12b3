import { describe, expect, it } from 'vitest'
import type { HintgateError } from '../base/errors.ts'
import type { ApprovalStore, StoredApproval } from '../store/approval-store.ts'
import { Approvals, type NewApproval } from './approvals.ts'
import { readShown } from './shown-request.ts'

/** Creates an in-memory store with only the methods that these tests need. */
function memoryStore(forgotten?: string[]): ApprovalStore {
  const rows = new Map<string, StoredApproval>()
  const pending = () => [...rows.values()].filter(({ state }) => state === 'pending')
  return {
    insert: async row => void rows.set(row.id, row),
    find: async id => rows.get(id),
    findByBinding: async binding => pending().find(row => row.binding === binding),
    countPending: async principal => pending().filter(row => row.principal === principal).length,
    listPending: async () => pending().map(({ id }) => id),
    list: async () => [...rows.values()],
    decide: async (id, state, decision) => {
      const row = rows.get(id)
      if (row?.state !== 'pending') return false
      rows.set(id, { ...row, state, decision })
      return true
    },
    vote: async () => true,
    votes: async () => [],
    spend: async () => false,
    revoke: async (id, { by, at }) => {
      const row = rows.get(id)
      if (row?.state !== 'standing') return false
      rows.set(id, { ...row, revokedBy: by, revokedAt: at })
      return true
    },
    removeOver: async principal => {
      forgotten?.push(principal)
      return 0
    },
    removeBefore: async () => 0,
  }
}

function open() {
  let ids = 0
  const forgotten: string[] = []
  const store = memoryStore(forgotten)
  const approvals = new Approvals({
    store,
    onChange: () => () => {},
    now: () => 1000,
    createId: () => `ap_${++ids}`,
  })
  let described = 0
  const ask = (principal: string, binding: string, more: Partial<NewApproval> = {}) =>
    approvals.ask({ principal, binding }, async () => {
      described += 1
      await new Promise(resolve => setTimeout(resolve, 1))
      const shown = { remember: [] } as unknown as NewApproval['shown']
      return {
        principal,
        binding,
        session: 's',
        tool: 's:t',
        channel: 'any',
        shown,
        validMs: 9000,
        ...more,
      }
    })
  return { approvals, ask, store, forgotten, described: () => described }
}

describe('many approvals requested at the same time', () => {
  it('are created one per round of the event loop, so that other work runs in between', async () => {
    const { approvals } = open()
    let rounds = 0
    let isOver = false
    const count = (): void => {
      rounds += 1
      if (!isOver) setImmediate(count)
    }
    setImmediate(count)
    const turns = await Promise.all(Array.from({ length: 20 }, () => approvals.takeTurn().then(() => rounds)))
    isOver = true
    expect(new Set(turns).size).toBe(20)
  })
})

describe('a caller with a hundred open approvals', () => {
  it('gets no more, and the request is not described, because that may take a call', async () => {
    const { ask, described } = open()
    for (let at = 0; at < 100; at += 1) expect(await ask('agent:a', `b${at}`)).toBeDefined()
    expect(await ask('agent:a', 'one more')).toBeUndefined()
    expect(described()).toBe(100)
    expect(await ask('agent:b', 'of another caller')).toBeDefined()
  })

  it('is still limited when all requests arrive at the same time', async () => {
    const { ask, described } = open()
    const asked = await Promise.all(Array.from({ length: 300 }, (_, at) => ask('agent:a', `b${at}`)))
    expect(asked.filter(one => one !== undefined)).toHaveLength(100)
    expect(described()).toBe(100)
  })

  it('may ask again when earlier requests failed before they were stored', async () => {
    const { approvals, ask } = open()
    const failing = { principal: 'agent:a', binding: 'broken' }
    for (let at = 0; at < 150; at += 1)
      await approvals.ask(failing, () => Promise.reject(new Error('no'))).catch(() => {})
    expect(await ask('agent:a', 'b')).toBeDefined()
  })
})

describe('the caller of a call', () => {
  it.each(['any', 'person'] as const)('cannot approve it when the channel is %s', async channel => {
    const { approvals, ask } = open()
    const asked = await ask('person:ada', 'b', { channel })
    const decide = (by: string) =>
      approvals.decide(asked?.id ?? '', { verdict: 'approved', by, via: 'console' })
    await expect(decide('person:ada')).rejects.toMatchObject({ code: 'approval_own' })
    expect((await decide('person:bob')).state).toBe('approved')
  })
})

describe('an answer that comes too late', () => {
  const say = (verdict: 'approved' | 'denied') => ({ verdict, by: 'person:bob', via: 'cli' }) as const

  it('says how long a denial is in force, and does not suggest a retry', async () => {
    const { approvals, ask } = open()
    const { id = '' } = (await ask('agent:a', 'b')) ?? {}
    await approvals.decide(id, say('denied'))
    const failure = await approvals.decide(id, say('approved')).catch((error: unknown) => error)
    expect(failure).toMatchObject({ code: 'approval_decided', payload: { until: '1970-01-01T00:00:10Z' } })
    const { remedy } = failure as HintgateError
    expect(remedy).toMatch(/^The same call is refused until 1970-01-01T00:00:10Z\./)
    expect(remedy).toContain('Let the agent call again after that')
  })

  it('says that an approval is valid for one call', async () => {
    const { approvals, ask } = open()
    const { id = '' } = (await ask('agent:a', 'b')) ?? {}
    await approvals.decide(id, say('approved'))
    await expect(approvals.decide(id, say('denied'))).rejects.toMatchObject({
      remedy: expect.stringContaining('can make the call once, until 1970-01-01T00:00:10Z'),
    })
  })

  it('suggests a retry only when it can help', async () => {
    const { approvals, ask, store } = open()
    const { id = '' } = (await ask('agent:a', 'b', { validMs: 0 })) ?? {}
    store.decide = async () => false
    await expect(approvals.decide(id, say('approved'))).rejects.toMatchObject({
      payload: { state: 'over' },
      remedy: expect.stringMatching(/^Let the agent call again,/),
    })
  })
})

describe('the stored part of an answered approval', () => {
  const long = {
    arguments: { id: '1', text: 'x'.repeat(200_000) },
    others: { _meta: { note: 'y'.repeat(200_000) } },
    remember: ['arguments'],
    standing: { arguments: 'for these', session: 'for this' },
  } as unknown as NewApproval['shown']
  const yes = { verdict: 'approved', by: 'client of agent:a', via: 'input_required' } as const

  it('has only the binding of a standing approval and enough to recognise the call', async () => {
    const { approvals, ask, store } = open()
    const asked = await ask('agent:a', 'b', { shown: long })
    expect(readShown(asked?.shown ?? '')).toEqual(long)
    await approvals.decide(asked?.id ?? '', { ...yes, remember: 'arguments' })
    const all = await store.list({ now: 0 })
    const lasting = all.find(({ state }) => state === 'standing')
    expect(lasting).toMatchObject({ binding: 'for these', principal: 'agent:a' })
    expect(lasting?.shown.length).toBeLessThan(4000)
    expect(readShown(lasting?.shown ?? '')).toMatchObject({ arguments: { id: '1' }, isCut: true })
  })

  it('stays small however often a server asks again', async () => {
    const { approvals, ask } = open()
    const asked = await ask('agent:a', 'b', { shown: long })
    let last = await approvals.decide(asked?.id ?? '', yes)
    for (let round = 0; round < 3; round += 1)
      last = await approvals.extend(last, { once: 'b', validMs: 9000 })
    expect(last.shown.length).toBeLessThan(4000)
    expect(readShown(last.shown).isCut).toBe(true)
  })

  it('removes old rows as their own caller adds new ones, whatever other callers do', async () => {
    const { approvals, ask, forgotten } = open()
    const asked = await ask('agent:a', 'b', { shown: long })
    const yesOnce = await approvals.decide(asked?.id ?? '', yes)
    for (let at = 1; at < 20; at += 1) {
      expect(forgotten).toEqual([])
      await ask(`agent:${at}`, `of another ${at}`)
      await approvals.extend(yesOnce, { once: 'b', validMs: 9000 })
    }
    expect(forgotten).toEqual(['agent:a'])
  })
})

describe('an answer that lasts', () => {
  const shown = {
    remember: ['arguments', 'rule'],
    standing: { arguments: 'these arguments', rule: 'this rule' },
    arguments: {},
  } as unknown as NewApproval['shown']
  const yes = { verdict: 'approved', by: 'person:ada', via: 'console' } as const

  it('lasts an hour, or as long as the person says', async () => {
    const { approvals, ask, store } = open()
    const hour = await ask('agent:a', 'b', { shown })
    await approvals.decide(hour?.id ?? '', { ...yes, remember: 'arguments' })
    const minute = await ask('agent:a', 'c', { shown })
    await approvals.decide(minute?.id ?? '', { ...yes, remember: 'arguments', forMs: 60_000 })
    const lasting = (await store.list({ now: 0 })).filter(({ state }) => state === 'standing')
    expect(lasting.map(({ id, expiresAt }) => [id, expiresAt])).toEqual([
      ['gr_1', 3_601_000],
      ['gr_2', 61_000],
    ])
  })

  it('covers the rest of a call that a server interrupts with a question, unless it is revoked', async () => {
    const { approvals, ask, store } = open()
    const { id = '' } = (await ask('agent:a', 'b', { shown })) ?? {}
    await approvals.decide(id, { ...yes, remember: 'rule', mayGrantRule: true })
    const grant = await store.find('gr_1')
    if (grant === undefined) throw new Error('no grant')
    const first = await approvals.extend(grant, { once: 'this call', validMs: 9000 })
    expect(first).toMatchObject({ state: 'approved', binding: 'continued this call', expiresAt: 10_000 })
    const second = await approvals.extend(first, { once: 'this call', validMs: 9000 })
    expect(await approvals.isInForce(second)).toBe(true)
    await approvals.revoke(grant.id, yes)
    expect([await approvals.isInForce(first), await approvals.isInForce(second)]).toEqual([false, false])
  })

  it.each([
    ['longer than the config permits', { remember: 'arguments', forMs: 3_600_001 }],
    ['no time at all', { remember: 'arguments', forMs: 0 }],
    ['everything of a rule, from somebody who is no operator', { remember: 'rule' }],
  ] as const)('is refused for %s, and the question stays open', async (_, answer) => {
    const { approvals, ask, store } = open()
    const { id = '' } = (await ask('agent:a', 'b', { shown })) ?? {}
    await expect(approvals.decide(id, { ...yes, ...answer })).rejects.toMatchObject({ code: 'grant_refused' })
    expect(await store.list({ now: 0 })).toMatchObject([{ state: 'pending' }])
  })
})
