import { describe, expect, it } from 'vitest'
import type { Principal } from '../scope/scope.ts'
import { sessionOf } from './exchange.ts'

const BOT = { id: 'agent:bot' } as Principal
const named = (name: unknown) => sessionOf({ _meta: { 'io.hintgate/session': name } }, BOT)

describe('the session of a request', () => {
  it("has the name that the caller chose, after the caller's own id", () => {
    expect(named('chat 2f1c9d7e-8a34-4b1c-9d1e-aa12bb34cc56')).toBe(
      'agent:bot/chat 2f1c9d7e-8a34-4b1c-9d1e-aa12bb34cc56',
    )
  })

  it("has only the caller's id if the caller chose no name, or an invalid one", () => {
    for (const name of [undefined, '', 7, {}, 'x'.repeat(129)]) expect(named(name)).toBe('agent:bot')
  })

  it('belongs to one caller only, whatever the names of callers and sessions are', () => {
    const parts = ['a', 'a/b', 'a%2Fb', 'a%252Fb', 'b', '/b', 'b/b', 'a/', '%']
    const sessions = parts.flatMap(id => {
      const caller = { id: `agent:${id}` } as Principal
      const names = parts.map(name => sessionOf({ _meta: { 'io.hintgate/session': name } }, caller))
      return [sessionOf(undefined, caller), ...names]
    })
    expect(new Set(sessions).size).toBe(sessions.length)
    expect(sessionOf(undefined, { id: 'agent:bot@id.example' } as Principal)).toBe('agent:bot@id.example')
  })

  it('has no secret in its name, which is stored and shown', () => {
    expect(named('chat AKIAIOSFODNN7EXAMPLQ')).toBe('agent:bot/chat [redacted:aws-key]')
  })
})
