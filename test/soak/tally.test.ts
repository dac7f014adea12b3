import { expect, it } from 'vitest'
import { Tally } from './tally.ts'

const answer = (mark: string, server: string): string =>
  JSON.stringify({ text: JSON.stringify({ mark, server }) })

it('an answer with the words of its question is an answer', () => {
  const tally = new Tally()
  const mark = tally.nextMark()
  expect(tally.judge(answer(mark, 'http-1'), { mark, server: 'http-1' })).toBe(true)
  expect(tally).toMatchObject({ counts: { answered: 1 }, lost: [], crossed: [] })
})

it('no answer, another server’s, or half of one is a lost answer', () => {
  const tally = new Tally()
  for (const text of ['', 'no answer: socket hang up', answer('mark-1-', 'http-12'), '{"mark":"mark-1'])
    expect(tally.judge(text, { mark: 'mark-1-', server: 'http-1' })).toBe(false)
  expect(tally.lost).toHaveLength(4)
  expect(tally.crossed).toEqual([])
})

it('somebody else’s words are a crossed answer, even beside one’s own', () => {
  const tally = new Tally()
  tally.judge(answer('mark-11-', 'http-1'), { mark: 'mark-1-', server: 'http-1' })
  tally.judge(`${answer('mark-1-', 's')}${answer('mark-2-', 's')}`, { mark: 'mark-1-', server: 's' })
  expect(tally.crossed).toHaveLength(2)
  expect(tally.counts.answered).toBeUndefined()
})
