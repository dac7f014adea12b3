import { describe, expect, it } from 'vitest'
import { isSetUp, stepsOf } from './steps.ts'

const done = (welcome: Parameters<typeof stepsOf>[0]): boolean[] =>
  stepsOf(welcome).map(({ isDone }) => isDone)

describe('the first steps', () => {
  it('start with none done', () => {
    expect(done({ servers: 0, waiting: 0, agents: 0, callsSeen: 0 })).toEqual([false, false, false])
  })

  it('advance as servers are added, reviewed and called', () => {
    expect(done({ servers: 2, waiting: 5, agents: 0, callsSeen: 0 })).toEqual([true, false, false])
    expect(done({ servers: 2, waiting: 0, agents: 1, callsSeen: 0 })).toEqual([true, true, false])
    expect(done({ servers: 2, waiting: 0, agents: 1, callsSeen: 9 })).toEqual([true, true, true])
  })

  it('are complete after the first call, even when tools wait for review later', () => {
    expect(isSetUp({ servers: 1, waiting: 3, agents: 1, callsSeen: 1 })).toBe(true)
    expect(isSetUp({ servers: 1, waiting: 0, agents: 1, callsSeen: 0 })).toBe(false)
  })
})
