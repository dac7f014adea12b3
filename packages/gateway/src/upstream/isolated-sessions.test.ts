import { describe, expect, it } from 'vitest'
import { IsolatedSessions } from './isolated-sessions.ts'

const idle = (): boolean => true
const busy = (): boolean => false
const names = (caller: string, count: number): string[] =>
  Array.from({ length: count }, (_, at) => `${caller}/${at}`)

describe('sessions with a process of their own', () => {
  it('give up the oldest of their own caller when it names too many, and nobody else’s', () => {
    const sessions = new IsolatedSessions()
    for (const name of [...names('b', 3), ...names('a', 32)])
      expect(sessions.use(name, 0, idle).over).toEqual([])
    // Used again: the next one is the oldest now.
    expect(sessions.use('a/0', 1, idle)).toEqual({ over: [], hasRoom: true })
    expect(sessions.use('a/new', 2, idle)).toEqual({ over: ['a/1'], hasRoom: true })
    expect(sessions.use('b/new', 2, idle)).toEqual({ over: [], hasRoom: true })
  })

  it('are not ended in the middle of a call: then there is no room for another one', () => {
    const sessions = new IsolatedSessions()
    for (const name of names('a', 32)) sessions.use(name, 0, busy)
    expect(sessions.use('a/new', 1, busy)).toEqual({ over: [], hasRoom: false })
    expect(sessions.use('a/31', 1, busy).hasRoom).toBe(true)
    expect(sessions.use('b/new', 1, busy).hasRoom).toBe(true)
    sessions.forget('a/3')
    expect(sessions.use('a/new', 1, busy).hasRoom).toBe(true)
  })

  it('are over when nobody has used them for half an hour', () => {
    const sessions = new IsolatedSessions()
    for (const name of ['a/1', 'b/1']) sessions.use(name, 0, idle)
    sessions.use('b/1', 20 * 60_000, idle)
    expect(sessions.use('c/1', 40 * 60_000, idle).over).toEqual(['a/1'])
    expect(sessions.use('c/1', 41 * 60_000, busy).over).toEqual([])
  })

  it('of clients of the older era are each a caller of their own', () => {
    const sessions = new IsolatedSessions()
    for (let at = 0; at < 100; at += 1) expect(sessions.use(`session-${at}`, 0, idle).over).toEqual([])
  })
})
