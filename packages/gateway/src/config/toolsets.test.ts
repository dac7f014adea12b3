import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasCode } from '../base/errors.ts'
import { loadConfig } from './load-config.ts'

type Json = Readonly<Record<string, unknown>>

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'hintgate-toolsets-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function load(config: Json) {
  const path = join(folder, 'hintgate.json')
  writeFileSync(path, JSON.stringify(config))
  return loadConfig({ path, env: {}, cwd: folder, homeDir: folder }).config
}

function problemsOf(config: Json): string {
  try {
    load(config)
    return ''
  } catch (error) {
    if (!hasCode(error, 'config_invalid')) throw error
    return error.payload.problems.map(({ path, message }) => `${path}: ${message}`).join('\n')
  }
}

describe('a config with toolsets', () => {
  it.each<[string, Json, RegExp]>([
    [
      'two tools with one name',
      { toolsets: { a: { select: ['x:*'], overrides: { 'x:b': { name: 'n' }, 'y:c': { name: 'N' } } } } },
      /x:b and y:c have the same name/,
    ],
    [
      'the name of a tool of Hintgate',
      { toolsets: { a: { select: ['x:*'], overrides: { 'x:b': { name: 'read_result' } } } } },
      /a tool of Hintgate itself/,
    ],
    [
      'an expression that cannot be read',
      { toolsets: { a: { select: ['x:*'], overrides: { 'x:b': { query: 'a[' } } } } },
      /JMESPath/,
    ],
    [
      'a token for a set that does not exist',
      { toolsets: { a: ['x:*'] }, agent_tokens: { bot: { permissions: ['read'], sets: ['b'] } } },
      /there is no toolset b/,
    ],
    ['a token without servers and sets', { agent_tokens: { bot: { permissions: ['read'] } } }, /servers/],
    [
      'an id with a star',
      { toolsets: { a: { select: ['x:*'], overrides: { 'x:*': {} } } } },
      /the id of one tool/,
    ],
    ['an empty list', { toolsets: { a: [] } }, /toolsets/],
  ])('refuses %s', (_, config, message) => {
    expect(problemsOf(config)).toMatch(message)
  })

  it('is the same with a list of ids as with one selection of tools', () => {
    const [short, long] = load({ toolsets: { a: ['x:b'], b: { select: [{ tools: ['x:b'] }] } } }).toolsets
    expect(short).toEqual({ ...long, name: 'a' })
  })

  it('lets a token that names sets reach every server in them', () => {
    const { agentTokens } = load({
      toolsets: { a: ['x:*'] },
      agent_tokens: { bot: { permissions: ['read'], sets: ['a'] } },
    })
    expect(agentTokens[0]?.scope).toMatchObject({ servers: ['*'], sets: ['a'] })
  })

  it('gives overrides a fingerprint that changes with everything but the author', () => {
    const printOf = (override: Json): string | undefined =>
      load({ toolsets: { a: { select: ['x:*'], overrides: { 'x:b': override } } } }).toolsets[0]?.overrides[
        'x:b'
      ]?.fingerprint
    const prints = [{}, { title: 't' }, { arguments: { a: 1 } }, { hidden: ['a'] }, { keep: ['/a'] }].map(
      printOf,
    )
    expect(new Set(prints).size).toBe(prints.length)
    expect(printOf({ author: 'ada' })).toBe(prints[0])
  })
})
