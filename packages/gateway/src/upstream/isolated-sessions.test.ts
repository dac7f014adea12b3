import { describe, expect, it } from 'vitest'
import { IsolatedSessions } from './isolated-sessions.ts'

const BOUNDS = { sessions: 10, sessionsPerPrincipal: 4 }
const idle = (_session: string): boolean => true
const busy = (): boolean => false

/** Opens these sessions. The first letter of a session is its caller: `a1` and `a2` belong to `a`. */
function open(...names: string[]): IsolatedSessions {
  const sessions = new IsolatedSessions(BOUNDS)
  for (const name of names) expect(use(sessions, name, busy)).toEqual({ over: [] })
  return sessions
}

const use = (sessions: IsolatedSessions, session: string, isIdle = idle, now = 0) =>
  sessions.use({ session, caller: session[0] ?? '', now }, isIdle)

describe('isolated sessions', () => {
  it('close the oldest session of a caller with too many, and none of other callers', () => {
    const sessions = open('b1', 'a1', 'a2', 'a3', 'a4')
    // Using `a1` again makes `a2` the oldest session.
    expect(use(sessions, 'a1')).toEqual({ over: [] })
    expect(use(sessions, 'a5')).toEqual({ over: ['a2'] })
    expect(use(sessions, 'b2')).toEqual({ over: [] })
  })

  it('are not closed during a call, so another session finds no room', () => {
    const sessions = open('a1', 'a2', 'a3', 'a4')
    expect(use(sessions, 'a5', busy)).toEqual({ over: [], full: 'sessionsPerPrincipal' })
    expect(use(sessions, 'a4', busy)).toEqual({ over: [] })
    expect(use(sessions, 'b1', busy)).toEqual({ over: [] })
    sessions.forget('a3')
    expect(use(sessions, 'a5', busy)).toEqual({ over: [] })
  })

  it('close the oldest session of the caller with the most if there are too many in total', () => {
    const sessions = open('c1', 'a1', 'a2', 'b1', 'b2', 'b3', 'b4', 'd1', 'd2', 'd3')
    expect(use(sessions, 'e1')).toEqual({ over: ['b1'] })
    expect(use(sessions, 'e2', name => !name.startsWith('b'))).toEqual({ over: ['d1'] })
    expect(use(sessions, 'e3', busy)).toEqual({ over: [], full: 'sessions' })
  })

  it('are not closed for a caller that has just as many', () => {
    const sessions = open('a1', 'a2', 'a3', 'b1', 'b2', 'b3', 'c1', 'c2', 'd1', 'd2')
    expect(use(sessions, 'a4', name => !name.startsWith('a'))).toEqual({ over: [], full: 'sessions' })
    expect(use(sessions, 'a4')).toEqual({ over: ['a1'] })
  })

  it('end after half an hour without use', () => {
    const sessions = open('a1', 'b1')
    use(sessions, 'b1', idle, 20 * 60_000)
    expect(use(sessions, 'c1', idle, 40 * 60_000).over).toEqual(['a1'])
    expect(use(sessions, 'c1', busy, 41 * 60_000).over).toEqual([])
  })
})
