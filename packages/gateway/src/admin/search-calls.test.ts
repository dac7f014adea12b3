import { describe, expect, it } from 'vitest'
import type { AuditRow, AuditStore } from '../store/audit-store.ts'
import { searchCalls } from './search-calls.ts'

/** A log of so many calls in memory, every so many of them of the tool that is searched for. */
function logOf(length: number, every: number) {
  let queries = 0
  const row = (seq: number): AuditRow => ({
    writer: 1,
    seq,
    prev: '',
    hash: '',
    at: seq,
    kind: 'call',
    request: String(seq),
    agent: 'agent:a',
    server: 's',
    tool: seq % every === 0 ? 'rare' : 'usual',
    variant: 'read',
    verdict: 'allow',
    outcome: 'answered',
    code: '',
    body: '{}',
  })
  const query: AuditStore['query'] = async ({ limit, cursor = '0' }) => {
    queries += 1
    const from = Number(cursor)
    const end = Math.min(length, from + limit)
    return {
      calls: Array.from({ length: end - from }, (_, at) => ({ ending: row(length - from - at) })),
      ...(end < length ? { next: String(end) } : {}),
    }
  }
  return { audit: { query } as AuditStore, queries: () => queries }
}

const STAYS = { text: 'rare', isGone: () => false }

describe('a search in the log', () => {
  it.each([1, 3, 500])('finds every call once, %s at a time', async limit => {
    const { audit } = logOf(2000, 70)
    const found: string[] = []
    let cursor: string | undefined
    do {
      const page = await searchCalls(audit, { limit, ...(cursor && { cursor }) }, STAYS)
      expect(page.items.length).toBeLessThanOrEqual(limit)
      found.push(...page.items.map(({ request }) => request))
      cursor = page.next
    } while (cursor !== undefined)
    expect(found).toEqual(Array.from({ length: 28 }, (_, at) => String(1960 - at * 70)))
  })

  it('reads the log in few pages, however few calls are wanted', async () => {
    const { audit, queries } = logOf(20_000, 20_001)
    expect(await searchCalls(audit, { limit: 1 }, STAYS)).toEqual({ items: [], next: '5000' })
    expect(queries()).toBe(10)
  })

  it('ends when nobody waits for it any more', async () => {
    const { audit, queries } = logOf(20_000, 20_001)
    await searchCalls(audit, { limit: 1 }, { text: 'rare', isGone: () => queries() === 2 })
    expect(queries()).toBe(2)
  })
})
