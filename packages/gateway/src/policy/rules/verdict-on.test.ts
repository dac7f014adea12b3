import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { factsOf, type ToldCall } from './cases/case-facts.ts'
import { parsePolicies } from './parse-policies.ts'
import { sayRule } from './say-rule.ts'
import { verdictOn } from './verdict-on.ts'

const read = (rules: string, fallback: 'allow' | 'deny' = 'allow') => {
  const parsed = parsePolicies([{ path: 'p.yaml', text: `rules: [${rules}]` }], { fallback })
  expect(parsed.problems).toEqual([])
  return parsed
}
const judge = (rules: string, told: ToldCall, fallback?: 'allow' | 'deny') =>
  verdictOn(read(rules, fallback).set, factsOf(told)).verdict

const resource = (tool: string, server = 'files'): ToldCall => ({ kind: 'resource', server, tool })
const prompt = (tool: string, server = 'files'): ToldCall => ({ kind: 'prompt', server, tool })
const TOOL: ToldCall = { server: 'files', tool: 'read' }

describe('a rule', () => {
  const NO_ETC = `{ id: a, effect: deny, resources: 'file:///etc/*', reason: Secret. }`

  it('for resources applies to their URIs, and to no tool or prompt', () => {
    expect(judge(NO_ETC, resource('file:///etc/passwd'))).toBe('deny')
    expect(judge(NO_ETC, resource('file:///home/a'))).toBe('allow')
    expect(judge(NO_ETC, TOOL)).toBe('allow')
    expect(judge(NO_ETC, prompt('file:///etc/passwd'))).toBe('allow')
  })

  it('for prompts applies to their names at a server, and to no tool or resource', () => {
    const rule = `{ id: a, effect: deny, prompts: 'files:secret*', reason: Secret. }`
    expect(judge(rule, prompt('secret_plan'))).toBe('deny')
    expect(judge(rule, prompt('secret_plan', 'other'))).toBe('allow')
    expect(judge(rule, resource('secret_plan'))).toBe('allow')
    expect(judge(rule, { server: 'files', tool: 'secret_plan' })).toBe('allow')
  })

  it('for tools applies to no resource and no prompt', () => {
    const rule = `{ id: a, effect: deny, tools: '*', reason: None. }`
    expect(judge(rule, TOOL)).toBe('deny')
    expect(judge(rule, resource('x'))).toBe('allow')
    expect(judge(rule, prompt('x'))).toBe('allow')
  })

  it('that names none of them applies to all', () => {
    const rule = `{ id: a, effect: deny, servers: files, reason: Closed. }`
    for (const one of [TOOL, resource('x'), prompt('x')]) expect(judge(rule, one)).toBe('deny')
    expect(judge(rule, resource('x', 'other'))).toBe('allow')
  })

  it('can tell them apart in its condition', () => {
    const rule = `{ id: a, effect: deny, when: 'tool.kind == "resource" && args.uri.startsWith("db:")', reason: No. }`
    expect(judge(rule, resource('db:x'))).toBe('deny')
    expect(judge(rule, TOOL)).toBe('allow')
  })

  it.each([
    'file:///etc/passwd',
    'FILE:///etc/passwd',
    'file:///home/../etc/passwd',
    'file:///etc/./passwd',
    'file:////etc//passwd',
    'file:///%65tc/passwd',
    'file:///home/%2e%2e/etc/passwd',
    'file:///home/%2E%2E%2Fetc/passwd',
    'file:///home\\..\\..\\etc\\passwd',
    'file:///%65tc/passwd#%',
    'file:///%65tc/%ff/../passwd%zz',
    'file:///%2565tc/passwd',
    'file:///a://../etc/passwd',
    'file:///a?/../etc/passwd',
    'file:/etc/passwd',
  ])('that denies a resource also denies another way to write its URI: %s', uri =>
    expect(judge(NO_ETC, resource(uri))).toBe('deny'),
  )

  it.each(['#x', '?x', '?x#y', '%3Fx', '#%', '%00.txt'])(
    'that denies one resource denies its URI with %s at the end',
    end => {
      const rule = `{ id: a, effect: deny, resources: 'book:///rare', reason: Rare. }`
      expect(judge(rule, resource(`book:///rare${end}`))).toBe('deny')
      expect(judge(rule, resource(`book:/rare${end}`))).toBe('deny')
      expect(judge(rule, resource(`book:///one${end}`))).toBe('allow')
    },
  )

  it('that denies a resource denies every encoding of its path', () => {
    const encode = (character: string): string => `%${character.charCodeAt(0).toString(16)}`
    const written = fc
      .tuple(
        ...[...'/etc/passwd'].map(one => fc.constantFrom(one, encode(one), encode(one).replace('%', '%25'))),
      )
      .map(characters => characters.join(''))
    const before = fc.constantFrom('', '/a/..', '/.', '//', '/a:/..', '/a://..', '/%2e', '/a/%2E%2e')
    const after = fc.constantFrom('', '#%', '?%', '#x', '%', '%f', '%ff', '/%zz', '/./x')
    fc.assert(
      fc.property(before, written, after, (start, path, end) => {
        expect(judge(NO_ETC, resource(`file://${start}${path}${end}`))).toBe('deny')
      }),
    )
  })

  it('that allows a resource does not allow a URI that could mean another one', () => {
    const rule = `{ id: a, effect: allow, resources: 'file:///home/*', reason: Own files. }`
    expect(judge(rule, resource('file:///home/a'), 'deny')).toBe('allow')
    expect(judge(rule, resource('file:///home/../etc/passwd'), 'deny')).toBe('deny')
  })

  it('is described in a sentence', () => {
    const { rules } = read(`{ id: a, effect: deny, tools: t, resources: 'x:*', prompts: 'p', reason: r }`)
    expect(rules.map(sayRule)).toEqual([
      'Refuse all calls to t, requests for the resources x:* and requests for the prompts p.',
    ])
  })
})
