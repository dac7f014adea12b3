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

describe('options', () => {
  it('have the defaults of the gateway', () => {
    expect(readOptions({ servers: { a: { command: 'x' } } }).rules).toEqual({
      read: 'never',
      write: 'never',
      destructive: 'always',
      trifecta: 'declared',
    })
  })

  it.each<[string, unknown, string]>([
    ['no server', {}, 'there is none'],
    ['two ways to one server', { a: { command: 'x', url: 'http://x' } }, 'servers.a: give one of'],
    ['a name with a colon', { 'a:b': { command: 'x' } }, 'servers.a:b: a name'],
    ['a name that looks like a tool of a gateway', { a__b: { command: 'x' } }, 'servers.a__b: a name'],
    ['a URL that is none', { a: { url: 'file:///etc/passwd' } }, 'not an http or https URL'],
    ['a gateway without a token', { a: { gateway: 'http://x' } }, 'servers.a.token'],
    ['trust that nobody knows', { a: { command: 'x', trust: 'yes' } }, 'servers.a.trust'],
  ])('are refused with %s', (_what, servers, text) => {
    expect(problemsOf({ servers })).toContain(text)
  })

  it('are refused with a rule that is misspelt, and all problems are named', () => {
    const problems = problemsOf({ servers: { a: {} }, rules: { destructive: 'allways', delete: 'always' } })
    expect(problems).toContain('servers.a')
    expect(problems).toContain('rules.destructive: one of never, always')
    expect(problems).toContain('rules.delete: there is no such rule')
  })
})

describe('errors', () => {
  it('all say what to do', () => {
    for (const [code, remedy] of Object.entries(AGENT_ERRORS)) expect(remedy, code).toMatch(/\w.*[.;]/)
  })
})
