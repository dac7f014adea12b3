import { describe, expect, it } from 'vitest'
import { TellInTurn, type Told } from './tell-in-turn.ts'

/** A server that answers when the test says so; pauses are over at once, and counted. */
function open() {
  const asked: { readonly uri: string; readonly answer: (told: Told) => void }[] = []
  const pauses: number[] = []
  const lines = new TellInTurn({
    tell: uri => new Promise(answer => asked.push({ uri, answer })),
    pause: async ms => void pauses.push(ms),
  })
  const answer = async (uri: string, told: Told): Promise<void> => {
    const at = asked.findIndex(one => one.uri === uri)
    const [found] = asked.splice(at, 1)
    found?.answer(told)
    // Whoever is next comes up in the microtasks that follow.
    await new Promise(resolve => setImmediate(resolve))
  }
  return { lines, pauses, answer, asked: () => asked.map(({ uri }) => uri) }
}

describe('what a server is told for several callers', () => {
  it('is told one at a time for each, and for each without the others', async () => {
    const { lines, asked, answer } = open()
    lines.add('a', ['a1', 'a2'])
    lines.add('b', ['b1'])
    expect(asked()).toEqual(['a1', 'b1'])
    await answer('b1', 'heard')
    lines.add('b', ['b2'])
    expect(asked()).toEqual(['a1', 'b2'])
    await answer('a1', 'heard')
    expect(asked()).toEqual(['b2', 'a2'])
  })

  it('is told for four of them at once, and the rest in the order they came', async () => {
    const { lines, asked, answer } = open()
    for (const caller of 'abcdef') lines.add(caller, [`${caller}1`, `${caller}2`])
    expect(asked()).toEqual(['a1', 'b1', 'c1', 'd1'])
    await answer('a1', 'unanswered')
    expect(asked()).toEqual(['b1', 'c1', 'd1', 'e1'])
    await answer('b1', 'heard')
    await answer('c1', 'heard')
    expect(asked()).toEqual(['d1', 'e1', 'f1', 'a2'])
  })

  it('is given up when it was not answered three times, until somebody wants it anew', async () => {
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

  it('is told again, however often, to a server that is away, and what changed meanwhile at once', async () => {
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
