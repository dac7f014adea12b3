import { describe, expect, it } from 'vitest'
import type { AgentOptions } from './agent-options.ts'
import { AGENT_ERRORS, AgentError } from './errors.ts'
import { readOptions } from './read-options.ts'

function problemsOf(options: unknown): string {
  try {
    readOptions(options as AgentOptions)
  } catch (error) {
    if (error instanceof AgentError && error.code === 'options_invalid') return error.message
    throw error
  }
  return 'none'
}

describe('readOptions', () => {
  it('uses the defaults of the gateway', () => {
    expect(readOptions({ servers: { a: { command: 'x' } } }).rules).toEqual({
      read: 'never',
      write: 'never',
      destructive: 'always',
      trifecta: 'declared',
    })
  })

  it.each<[string, unknown, string]>([
    ['no server', {}, 'at least one'],
    ['two ways to one server', { a: { command: 'x', url: 'http://x' } }, 'servers.a: set exactly one'],
    ['a name with a colon', { 'a:b': { command: 'x' } }, 'servers.a:b: use only'],
    ["a name that looks like a gateway's tool", { a__b: { command: 'x' } }, 'servers.a__b: use only'],
    ['an invalid URL', { a: { url: 'file:///etc/passwd' } }, 'must be an http or https URL'],
    ['a gateway without a token', { a: { gateway: 'http://x' } }, 'servers.a.token'],
    ['an unknown trust', { a: { command: 'x', trust: 'yes' } }, 'servers.a.trust'],
  ])('rejects %s', (_what, servers, text) => {
    expect(problemsOf({ servers })).toContain(text)
  })

  it('rejects misspelt rules, and lists all problems', () => {
    const problems = problemsOf({ servers: { a: {} }, rules: { destructive: 'allways', delete: 'always' } })
    expect(problems).toContain('servers.a')
    expect(problems).toContain('rules.destructive: use one of never, always')
    expect(problems).toContain('rules.delete: unknown rule')
  })
})

describe('AGENT_ERRORS', () => {
  it('has a remedy for every code', () => {
    for (const [code, remedy] of Object.entries(AGENT_ERRORS)) expect(remedy, code).toMatch(/\w.*[.;]/)
  })
})
