import { describe, expect, it } from 'vitest'
import { SubscribeInTurn, type SubscribeResult } from './subscribe-in-turn.ts'

/** Creates a server that answers only when the test lets it. Pauses end immediately and are counted. */
function open() {
  const asked: { readonly uri: string; readonly answer: (told: SubscribeResult) => void }[] = []
  const pauses: number[] = []
  const lines = new SubscribeInTurn({
    send: uri => new Promise(answer => asked.push({ uri, answer })),
    pause: async ms => void pauses.push(ms),
  })
  const answer = async (uri: string, told: SubscribeResult): Promise<void> => {
    const at = asked.findIndex(one => one.uri === uri)
    const [found] = asked.splice(at, 1)
    found?.answer(told)
    // Waits for the microtasks that start the next request.
    await new Promise(resolve => setImmediate(resolve))
  }
  return { lines, pauses, answer, asked: () => asked.map(({ uri }) => uri) }
}

describe('subscription requests for several callers', () => {
  it('go out one at a time for each caller, independently of other callers', async () => {
    const { lines, asked, answer } = open()
    lines.add('a', ['a1', 'a2'])
    lines.add('b', ['b1'])
    expect(asked()).toEqual(['a1', 'b1'])
    await answer('b1', 'done')
    lines.add('b', ['b2'])
    expect(asked()).toEqual(['a1', 'b2'])
    await answer('a1', 'done')
    expect(asked()).toEqual(['b2', 'a2'])
  })

  it('go out for four callers at the same time, and for the others in order of arrival', async () => {
    const { lines, asked, answer } = open()
    for (const caller of 'abcdef') lines.add(caller, [`${caller}1`, `${caller}2`])
    expect(asked()).toEqual(['a1', 'b1', 'c1', 'd1'])
    await answer('a1', 'unanswered')
    expect(asked()).toEqual(['b1', 'c1', 'd1', 'e1'])
    await answer('b1', 'done')
    await answer('c1', 'done')
    expect(asked()).toEqual(['d1', 'e1', 'f1', 'a2'])
  })

  it('stop after three without an answer, until a caller asks again', async () => {
    const { lines, asked, answer, pauses } = open()
    lines.add('a', ['a1'])
    for (let time = 0; time < 3; time += 1) {
      expect(asked()).toEqual(['a1'])
      await answer('a1', 'unanswered')
    }
    expect(asked()).toEqual([])
    expect(pauses).toEqual([1000, 2000, 4000])
    lines.add('a', ['a1'])
    expect(asked()).toEqual(['a1'])
  })

  it('are repeated while a server is down, and immediately after a change', async () => {
    const { lines, asked, answer, pauses } = open()
    lines.add('a', ['a1'])
    for (let time = 0; time < 10; time += 1) await answer('a1', 'later')
    expect(asked()).toEqual(['a1'])
    expect(pauses.at(-1)).toBe(30_000)
    await answer('a1', 'changed')
    expect(asked()).toEqual(['a1'])
    expect(pauses).toHaveLength(10)
    lines.close()
    await answer('a1', 'changed')
    expect(asked()).toEqual([])
  })
})
