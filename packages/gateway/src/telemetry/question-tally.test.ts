import { describe, expect, it } from 'vitest'
import { QuestionTally } from './question-tally.ts'

const shown = (...rules: readonly string[]): string =>
  JSON.stringify({ reasons: rules.map(rule => ({ rule })) })

function pointsOf(tally: QuestionTally, name: string) {
  return tally.measures().find(measure => measure.name === name)?.points ?? []
}

describe('the tally of questions', () => {
  it('counts questions by agent and rule, and each question once', () => {
    const tally = new QuestionTally(() => 1000)
    const asked = {
      id: 'ap_1',
      principal: 'agent:bot',
      shown: shown('a', 'b'),
      createdAt: 0,
      expiresAt: 9000,
    }
    tally.asked(asked)
    tally.asked(asked)
    expect(pointsOf(tally, 'hintgate_questions_total')).toEqual([
      { labels: { agent: 'agent:bot', rule: 'a' }, value: 1 },
      { labels: { agent: 'agent:bot', rule: 'b' }, value: 1 },
    ])
  })

  it('counts answers with their time, and questions that expire', () => {
    let now = 1000
    const tally = new QuestionTally(() => now)
    for (const id of ['ap_1', 'ap_2', 'ap_3'])
      tally.asked({ id, principal: 'agent:bot', shown: shown('a'), createdAt: 0, expiresAt: 9000 })
    const decision = { by: 'person:ada', via: 'cli', at: 4000 }
    tally.answered({ id: 'ap_1', state: 'spent', createdAt: 0, decision })
    tally.answered({ id: 'ap_2', state: 'denied', createdAt: 0, decision })
    // Another gateway asked this one, and counts it itself.
    tally.answered({ id: 'ap_9', state: 'denied', createdAt: 0, decision })
    now = 9000
    const results = pointsOf(tally, 'hintgate_answers_total').map(({ labels, value }) => [
      labels.result,
      value,
    ])
    expect(results).toEqual([
      ['approved', 1],
      ['denied', 1],
      ['expired', 1],
    ])
    expect(pointsOf(tally, 'hintgate_answer_duration_seconds')).toMatchObject([
      { value: { count: 2, sum: 8 } },
    ])
  })

  it('has a bounded number of series, whatever the agents are called', () => {
    const tally = new QuestionTally(() => 0)
    for (let at = 0; at < 2000; at += 1)
      tally.asked({ id: `ap_${at}`, principal: `agent:${at}`, shown: shown('a'), createdAt: 0, expiresAt: 1 })
    const points = pointsOf(tally, 'hintgate_questions_total')
    expect(points.length).toBeLessThanOrEqual(501)
    expect(points.find(({ labels }) => labels.agent === 'other')?.value).toBe(1500)
  })
})
