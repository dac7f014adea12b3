import { describe, expect, it } from 'vitest'
import { checkQuestions, checkWaivers } from './check-questions.ts'

describe('doctor', () => {
  it('points out a rule whose questions are always approved, and names the command that helps', () => {
    const often = { rule: 'confirm.destructive', questions: 31, approved: 30, denied: 0 }
    expect(checkQuestions([often])).toMatchObject([
      {
        code: 'questions_always_approved',
        level: 'info',
        fix: expect.stringContaining('hintgate policy suggest'),
      },
    ])
  })

  it.each([
    ['few questions', { questions: 19, approved: 19, denied: 0 }],
    ['a denial', { questions: 100, approved: 99, denied: 1 }],
    ['many open questions', { questions: 100, approved: 50, denied: 0 }],
  ])('says nothing about a rule with %s', (_, figures) => {
    expect(checkQuestions([{ rule: 'r', ...figures }])).toEqual([])
  })

  it('counts waivers that have expired', () => {
    const rules = [
      { id: 'old', expires: 10, source: 'p.yaml:1' },
      { id: 'new', expires: 30, source: 'p.yaml:9' },
      { id: 'deny', source: 'p.yaml:20' },
    ]
    expect(checkWaivers(rules, 20)).toMatchObject([
      { code: 'waivers_expired', text: expect.stringContaining('old') },
    ])
    expect(checkWaivers(rules, 5)).toEqual([])
  })
})
