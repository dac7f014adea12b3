import { describe, expect, it } from 'vitest'
import { Rounds } from './rounds.ts'

describe('Rounds', () => {
  it('resolve one at a time in order, and let other work run in between', async () => {
    const rounds = new Rounds()
    const done: string[] = []
    const between = (): void => {
      done.push('other')
      if (done.length < 12) setImmediate(between)
    }
    setImmediate(between)
    await Promise.all(['a', 'b', 'c'].map(name => rounds.next().then(() => done.push(name))))
    const order = done.filter(name => name !== 'other')
    expect(order).toEqual(['a', 'b', 'c'])
    for (const [first, second] of [
      ['a', 'b'],
      ['b', 'c'],
    ] as const)
      expect(done.slice(done.indexOf(first), done.indexOf(second))).toContain('other')
  })
})
