import { describe, expect, it } from 'vitest'
import { logOf } from '../test-support/log-of.ts'
import { searchCalls } from './list-calls.ts'

const STAYS = { text: 'rare', isGone: () => false }

describe('searching the log', () => {
  it.each([1, 3, 500])('finds every call once with a limit of %s', async limit => {
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

  it('reads the log in large pages, however few calls are requested', async () => {
    const { audit, queries } = logOf(20_000, 20_001)
    expect(await searchCalls(audit, { limit: 1 }, STAYS)).toEqual({ items: [], next: '5000' })
    expect(queries()).toBe(10)
  })

  it('ends when the request is cancelled', async () => {
    const { audit, queries } = logOf(20_000, 20_001)
    await searchCalls(audit, { limit: 1 }, { text: 'rare', isGone: () => queries() === 2 })
    expect(queries()).toBe(2)
  })
})
