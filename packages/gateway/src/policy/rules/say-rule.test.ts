import { describe, expect, it } from 'vitest'
import { parsePolicies } from './parse-policies.ts'
import { sayRule } from './say-rule.ts'

function say(rule: string): string {
  const text = `rules: [{ id: r, reason: Because., ${rule} }]`
  const { rules, problems } = parsePolicies([{ path: 'p.yaml', text }])
  expect(problems).toEqual([])
  return rules.map(sayRule).join()
}

describe('sayRule()', () => {
  it.each([
    ['effect: deny', 'Refuse all calls.'],
    ['effect: confirm, variants: [write, destructive]', 'Ask a person before write and destructive calls.'],
    ['effect: allow, tools: "crm:*", agents: [a, b, c]', 'Allow all calls to crm:* by a, b and c.'],
    ['effect: deny, servers: mail, when: "args.n > 3"', 'Refuse all calls on mail when args.n > 3.'],
    ['effect: deny, hints: { egress: true }', 'Refuse all calls where it sends data out.'],
  ])('%s', (rule, words) => {
    expect(say(rule)).toBe(words)
  })
})
