import { resolveEffective } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { SessionMemory } from './session-memory.ts'

const web = resolveEffective({ declared: { hints: { readOnly: true, sensitive: false } }, vouched: true })
const call = (at: number) => ({ tool: 'web:fetch', request: 'r', at })

describe('what sessions are remembered for', () => {
  it('stays apart, session by session', () => {
    const memory = new SessionMemory({ sessions: 10, idleMs: 1000 })
    memory.note('a', web, call(0))
    expect(memory.legsOf('a', 1)).toHaveProperty('untrusted_content')
    expect(memory.legsOf('b', 1)).toEqual({})
  })

  it('ends when the session was not used for a while, and not before', () => {
    const memory = new SessionMemory({ sessions: 10, idleMs: 1000 })
    memory.note('a', web, call(0))
    memory.note('a', web, call(900))
    expect(memory.legsOf('a', 1900)).toHaveProperty('untrusted_content')
    expect(memory.legsOf('a', 1901)).toEqual({})
  })

  it('is forgotten when it is over, as soon as another session begins', () => {
    const memory = new SessionMemory({ sessions: 10, idleMs: 1000 })
    memory.note('a', web, call(0))
    memory.note('b', web, call(2000))
    // A clock that went back would show what is still there.
    expect(memory.legsOf('a', 500)).toEqual({})
  })

  it('gives way to newer sessions when there are too many', () => {
    const memory = new SessionMemory({ sessions: 2, idleMs: 1000 })
    for (const name of ['a', 'b', 'c']) memory.note(name, web, call(0))
    expect([memory.legsOf('a', 1), memory.legsOf('b', 1), memory.legsOf('c', 1)].map(Object.keys)).toEqual([
      [],
      ['untrusted_content'],
      ['untrusted_content'],
    ])
  })
})
