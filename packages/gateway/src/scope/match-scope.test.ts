import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { matchesGlob, mayCall, mayUseServer, mayUseTool } from './match-scope.ts'
import type { Scope } from './scope.ts'

const scopeOf = (fields: Partial<Scope>): Scope => ({ permissions: [], servers: ['*'], ...fields })

describe('matchesGlob()', () => {
  it.each([
    ['*', '', true],
    ['*', 'anything', true],
    ['crm', 'crm', true],
    ['crm', 'CRM', false],
    ['crm', 'crm2', false],
    ['', '', true],
    ['', 'a', false],
    ['get_*', 'get_', true],
    ['get_*', 'get_contact', true],
    ['get_*', 'forget_contact', false],
    ['*_contact', 'get_contact', true],
    ['*_contact', 'get_contacts', false],
    ['a*b*c', 'abc', true],
    ['a*b*c', 'a-b-b-c', true],
    ['a*b*c', 'acb', false],
    ['a*a', 'a', false],
    ['ab*ba', 'aba', false],
    ['*aa*', 'aba', false],
    ['**', 'x', true],
    ['a.c', 'abc', false],
    ['a?c', 'abc', false],
    ['[ab]', 'a', false],
  ])('%j against %j: %j', (glob, text, expected) => {
    expect(matchesGlob(glob, text)).toBe(expected)
  })

  it('matches like the equivalent regular expression', () => {
    const short = fc.string({ unit: fc.constantFrom('a', 'b', '*'), maxLength: 8 })
    const text = fc.string({ unit: fc.constantFrom('a', 'b'), maxLength: 12 })
    fc.assert(
      fc.property(short, text, (glob, candidate) => {
        const expected = new RegExp(`^${glob.replaceAll('*', '.*')}$`).test(candidate)
        expect(matchesGlob(glob, candidate)).toBe(expected)
      }),
      { numRuns: 2000 },
    )
  })

  it('takes linear time', () => {
    const start = process.cpuUsage()
    expect(matchesGlob(`${'a*'.repeat(10_000)}b`, 'a'.repeat(100_000))).toBe(false)
    expect(matchesGlob(`${'*a'.repeat(10_000)}*b*c`, `${'a'.repeat(100_000)}c`)).toBe(false)
    expect(process.cpuUsage(start).user / 1000).toBeLessThan(5000)
  })
})

describe('a scope', () => {
  it.each([
    [{ servers: ['crm'] }, 'crm', true],
    [{ servers: ['crm'] }, 'crm2', false],
    [{ servers: ['db-*', 'files'] }, 'db-1', true],
    [{ servers: [] }, 'crm', false],
  ])('%j reaches server %s: %s', (fields, server, expected) => {
    expect(mayUseServer(scopeOf(fields), server)).toBe(expected)
  })

  it.each([
    [{}, 'crm', 'get', true],
    [{ servers: ['files'] }, 'crm', 'get', false],
    [{ tools: [] }, 'crm', 'get', false],
    [{ tools: ['get'] }, 'crm', 'get', true],
    [{ tools: ['get'] }, 'files', 'get', true],
    [{ tools: ['crm:get'] }, 'files', 'get', false],
    [{ tools: ['crm:*'] }, 'crm', 'anything', true],
    [{ tools: ['*:get_*'] }, 'crm', 'get_contact', true],
    [{ tools: ['*:get_*'] }, 'crm', 'delete_contact', false],
    [{ servers: ['crm'], tools: ['files:get'] }, 'files', 'get', false],
    // A `*` does not match across the colon, not even if a tool's name contains a colon.
    [{ tools: ['c*t'] }, 'crm', 'get', false],
    [{ tools: ['crm:get'] }, 'crm', 'x:get', false],
    [{ tools: ['a:*'] }, 'b', 'a:x', false],
  ])('%j reaches %s:%s: %s', (fields, server, tool, expected) => {
    expect(mayUseTool(scopeOf(fields), server, tool)).toBe(expected)
  })

  it('never reaches a tool of an unreachable server', () => {
    const word = fc.string({ unit: fc.constantFrom('a', 'b', '*', ':'), maxLength: 5 })
    fc.assert(
      fc.property(fc.array(word), fc.array(word), word, word, (servers, tools, server, tool) => {
        const scope = scopeOf({ servers, tools })
        if (mayUseTool(scope, server, tool)) expect(mayUseServer(scope, server)).toBe(true)
      }),
    )
  })

  it('allows exactly the permissions that it names', () => {
    const scope = scopeOf({ permissions: ['call_tool_destructive'] })
    expect(mayCall(scope, 'call_tool_destructive')).toBe(true)
    expect(mayCall(scope, 'call_tool_write')).toBe(false)
    expect(mayCall(scope, 'call_tool_read')).toBe(false)
  })
})
