import { describe, expect, it } from 'vitest'
import { shortSessionName } from './short-session-name.ts'

describe('the name of a session', () => {
  it('leaves out the owner', () => {
    expect(shortSessionName('agent:bot/triage', 'agent:bot')).toBe('triage')
    expect(shortSessionName('agent:bot', 'agent:bot')).toBe('agent:bot')
    expect(shortSessionName('agent:bott/x', 'agent:bot')).toBe('agent:bott/x')
    expect(shortSessionName('agent:bot/', 'agent:bot')).toBe('agent:bot/')
  })
})
