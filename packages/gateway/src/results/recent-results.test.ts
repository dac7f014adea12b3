import { describe, expect, it } from 'vitest'
import { RecentResults } from './recent-results.ts'

const result = (handle: string, total = 10) => {
  return {
    owner: 'agent:bot',
    expiresAt: 2000,
    total,
    pages: { handle, chars: 100, tool: 'a:b', pieces: [] },
  }
}

describe('results that were read lately', () => {
  it('are found by their owner until they expire', () => {
    const recent = new RecentResults(100)
    recent.add(result('a'))
    expect(recent.find('a', 'agent:other', 1999)).toBeUndefined()
    expect(recent.find('a', 'agent:bot', 1999)).toEqual(result('a'))
    expect(recent.find('a', 'agent:bot', 2000)).toBeUndefined()
    expect(recent.find('a', 'agent:bot', 1999)).toBeUndefined()
  })

  it('make room for newer ones, those first that were not read for longest', () => {
    const recent = new RecentResults(30)
    for (const handle of ['a', 'b', 'c']) recent.add(result(handle))
    recent.find('a', 'agent:bot', 0)
    recent.add(result('d'))
    recent.add(result('d'))
    const found = ['a', 'b', 'c', 'd'].filter(handle => recent.find(handle, 'agent:bot', 0))
    expect(found).toEqual(['a', 'c', 'd'])
    recent.add(result('long', 1000))
    expect(recent.find('long', 'agent:bot', 0)).toBeDefined()
    expect(recent.find('d', 'agent:bot', 0)).toBeUndefined()
  })
})
