import { describe, expect, it } from 'vitest'
import { collectAnswers, identifyCall, type Round } from './round.ts'

const yes = { action: 'accept', content: { ok: true } } as const
const call = identifyCall('delete', { id: '1' })
const round: Round = { call, asked: 'question-2', answers: [['question-1', yes]] }

describe('answers across rounds', () => {
  it('are the earlier ones and the one to the open question', () => {
    expect([...collectAnswers(round, call, yes)]).toEqual([
      ['question-1', yes],
      ['question-2', yes],
    ])
  })

  it.each([
    ['other arguments', identifyCall('delete', { id: '2' })],
    ['another tool', identifyCall('drop', { id: '1' })],
  ])('of one call do not count for a call with %s', (_, other) => {
    expect(collectAnswers(round, other, yes).size).toBe(0)
  })

  it('do not count before a question', () => {
    expect(collectAnswers(undefined, call, yes).size).toBe(0)
  })

  it('do not depend on the order of arguments', () => {
    expect(identifyCall('t', { a: 1, b: 2 })).toBe(identifyCall('t', { b: 2, a: 1 }))
  })
})
