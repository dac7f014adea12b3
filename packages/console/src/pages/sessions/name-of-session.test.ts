import { describe, expect, it } from 'vitest'
import { nameOfSession } from './name-of-session.ts'

describe('the name of a session', () => {
  it('leaves out the owner', () => {
    expect(nameOfSession('agent:bot/triage', 'agent:bot')).toBe('triage')
    expect(nameOfSession('agent:bot', 'agent:bot')).toBe('agent:bot')
    expect(nameOfSession('agent:bott/x', 'agent:bot')).toBe('agent:bott/x')
    expect(nameOfSession('agent:bot/', 'agent:bot')).toBe('agent:bot/')
  })
})
