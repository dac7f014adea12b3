import { expect, it } from 'vitest'
import { Tally } from './tally.ts'

const answer = (mark: string, server: string): string =>
  JSON.stringify({ text: JSON.stringify({ mark, server }) })

it('accepts an answer with the text of its question', () => {
  const tally = new Tally()
  const mark = tally.nextMark()
  expect(tally.judge(answer(mark, 'http-1'), { mark, server: 'http-1' })).toBe(true)
  expect(tally).toMatchObject({ counts: { answered: 1 }, lost: [], crossed: [] })
})

it("counts a missing, incomplete or another server's answer as lost", () => {
  const tally = new Tally()
  for (const text of ['', 'no answer: socket hang up', answer('mark-1-', 'http-12'), '{"mark":"mark-1'])
    expect(tally.judge(text, { mark: 'mark-1-', server: 'http-1' })).toBe(false)
  expect(tally.lost).toHaveLength(4)
  expect(tally.crossed).toEqual([])
})

it("counts another caller's text as mixed up, even beside the right one", () => {
  const tally = new Tally()
  tally.judge(answer('mark-11-', 'http-1'), { mark: 'mark-1-', server: 'http-1' })
  tally.judge(`${answer('mark-1-', 's')}${answer('mark-2-', 's')}`, { mark: 'mark-1-', server: 's' })
  expect(tally.crossed).toHaveLength(2)
  expect(tally.counts.answered).toBeUndefined()
})
