import { resolveEffective } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import type { SessionStore, StoredSession } from '../store/session-store.ts'
import { SessionMemory } from './session-memory.ts'

const web = resolveEffective({ declared: { hints: { readOnly: true, sensitive: false } }, vouched: true })
const call = (at: number) => ({ tool: 'web:fetch', request: 'r', at })
const named = (session: string) => ({ session, principal: 'agent:bot' })

/** An in-memory store; the contract suite tests the real one. */
class InMemoryStore implements SessionStore {
  readonly rows = new Map<string, StoredSession>()
  saves = 0

  async find(id: string) {
    return this.rows.get(id)
  }

  async list() {
    return [...this.rows.values()]
  }

  async save(session: StoredSession) {
    this.saves += 1
    this.rows.set(session.id, session)
  }

  async reset(id: string) {
    return this.rows.delete(id)
  }

  async removeBefore() {
    return 0
  }
}

function memoryOn(
  store: InMemoryStore,
  limits: { sessions?: number; idleMs?: number; isShared?: boolean } = {},
): SessionMemory {
  const onError = (error: unknown): never => {
    throw error
  }
  return new SessionMemory({ sessions: 10, idleMs: 1000, isShared: false, ...limits, store, onError })
}

describe('the risk factors of sessions', () => {
  it('are kept separately for each session', async () => {
    const memory = memoryOn(new InMemoryStore())
    await memory.note(named('a'), web, call(0))
    expect(memory.riskFactorsOf('a', 1)).toHaveProperty('untrusted_content')
    expect(memory.riskFactorsOf('b', 1)).toEqual({})
  })

  it('end when the session was idle for the configured time, and not before', async () => {
    const memory = memoryOn(new InMemoryStore())
    await memory.note(named('a'), web, call(0))
    await memory.note(named('a'), web, call(900))
    expect(memory.riskFactorsOf('a', 1900)).toHaveProperty('untrusted_content')
    expect(memory.riskFactorsOf('a', 1901)).toEqual({})
  })

  it('are stored before the call continues, and are found by the next process', async () => {
    const store = new InMemoryStore()
    await memoryOn(store).note(named('a'), web, call(5))
    expect(store.rows.get('a')).toMatchObject({ principal: 'agent:bot', usedAt: 5 })
    const next = memoryOn(store)
    expect(next.riskFactorsOf('a', 6)).toEqual({})
    await next.ready(named('a'), 6)
    expect(next.riskFactorsOf('a', 6)).toHaveProperty('untrusted_content')
    expect(next.ready(named('a'), 7)).toBeUndefined()
  })

  it('are read again for tools that add risk factors themselves, if other processes also write', async () => {
    const store = new InMemoryStore()
    const [one, other] = [memoryOn(store, { isShared: true }), memoryOn(store, { isShared: true })]
    await other.ready(named('a'), 1)
    await one.note(named('a'), web, call(5))
    const closed = { sensitive: false, openWorld: false, egress: false, readOnly: true }
    expect(
      other.ready(named('a'), 6, resolveEffective({ declared: { hints: closed }, vouched: true })),
    ).toBeUndefined()
    expect(other.riskFactorsOf('a', 6)).toEqual({})
    await other.ready(named('a'), 6, web)
    expect(other.riskFactorsOf('a', 6)).toHaveProperty('untrusted_content')
  })

  it('are available to a decision in progress while the cache is cleared, and are read again afterwards', async () => {
    const store = new InMemoryStore()
    await memoryOn(store).note(named('a'), web, call(5))
    const memory = memoryOn(store, { isShared: true })
    await memory.ready(named('a'), 6)
    const judging = memory.ready(named('a'), 6, web)
    memory.forget()
    await judging
    memory.forget()
    expect(memory.riskFactorsOf('a', 6)).toHaveProperty('untrusted_content')
    await store.reset('a')
    await memory.ready(named('a'), 7)
    expect(memory.riskFactorsOf('a', 7)).toEqual({})
  })

  it('are not restored from the store after the session ended', async () => {
    const store = new InMemoryStore()
    await memoryOn(store).note(named('a'), web, call(5))
    const next = memoryOn(store)
    await next.ready(named('a'), 1006)
    expect(next.riskFactorsOf('a', 1006)).toEqual({})
  })

  it('are read again after a possible reset', async () => {
    const store = new InMemoryStore()
    const memory = memoryOn(store)
    await memory.note(named('a'), web, call(0))
    await store.reset('a')
    memory.forget()
    await memory.ready(named('a'), 1)
    expect(memory.riskFactorsOf('a', 1)).toEqual({})
  })

  it('are stored when they change, and otherwise only from time to time', async () => {
    const store = new InMemoryStore()
    const memory = memoryOn(store, { idleMs: 10_000_000 })
    for (let at = 0; at < 59_000; at += 1000) await memory.note(named('a'), web, call(at))
    expect(store.saves).toBe(1)
    await memory.note(named('a'), web, call(60_000))
    expect(store.saves).toBe(2)
  })

  it('are dropped from memory after the session ended, when another session starts', async () => {
    const memory = memoryOn(new InMemoryStore())
    await memory.note(named('a'), web, call(0))
    await memory.note(named('b'), web, call(2000))
    // The session was dropped from the cache. If it were still there, an earlier time would show it.
    expect(memory.riskFactorsOf('a', 500)).toEqual({})
  })

  it('are dropped from memory for newer sessions beyond the limit', async () => {
    const memory = memoryOn(new InMemoryStore(), { sessions: 2 })
    for (const name of ['a', 'b', 'c']) await memory.note(named(name), web, call(0))
    expect(
      [memory.riskFactorsOf('a', 1), memory.riskFactorsOf('b', 1), memory.riskFactorsOf('c', 1)].map(
        Object.keys,
      ),
    ).toEqual([[], ['untrusted_content'], ['untrusted_content']])
  })
})
