import { CALL_VARIANTS, type HintName, type Source } from '@hintgate/metadata'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stringify } from 'yaml'
import type { Facts } from '../facts/facts.ts'
import { parsePolicies } from './parse-policies.ts'
import { makeFacts } from './test-support/make-facts.ts'

const HINT_NAMES: readonly HintName[] = ['destructive', 'openWorld', 'egress']
const SOURCES: readonly Source[] = ['declared', 'default', 'override', 'inferred']

const name = fc.constantFrom('a', 'ab', 'abc', 'b')
const glob = fc.oneof(name, fc.constantFrom('*', 'a*', '*b', 'a*c', '*a*'))
const globs = fc.array(glob, { minLength: 1, maxLength: 3 })
const toolGlob = fc.oneof(
  glob,
  fc.tuple(glob, glob).map(pair => pair.join(':')),
)
const demand = fc.oneof(
  fc.boolean(),
  fc.record({ value: fc.boolean(), source: fc.uniqueArray(fc.constantFrom(...SOURCES), { minLength: 1 }) }),
)

/** Conditions that the test can evaluate without CEL. `undefined` means that the evaluation fails. */
const CONDITIONS: Readonly<Record<string, (facts: Facts) => boolean | undefined>> = {
  'args.n > 1': ({ args }) => (args.n === undefined ? undefined : Number(args.n) > 1),
  'session.external_communication == "declared"': ({ session }) =>
    session.riskFactors.external_communication?.basis === 'declared',
  'session.way_out == "declared"': ({ session }) =>
    session.riskFactors.external_communication?.basis === 'declared',
  'tool.risk >= 2 && server.name == "a"': ({ tool, server }) => tool.riskLevel >= 2 && server.name === 'a',
  'tool.hints.egress.source == "default"': ({ tool }) => tool.effective.egress.source === 'default',
}

const rule = fc.record(
  {
    effect: fc.constantFrom('allow' as const, 'confirm' as const, 'deny' as const),
    agents: globs,
    servers: globs,
    tools: fc.array(toolGlob, { minLength: 1, maxLength: 3 }),
    variants: fc.uniqueArray(fc.constantFrom('read', 'write', 'destructive', ...CALL_VARIANTS), {
      minLength: 1,
    }),
    hints: fc.dictionary(fc.constantFrom(...HINT_NAMES), demand, { minKeys: 1 }),
    when: fc.constantFrom(...Object.keys(CONDITIONS)),
  },
  { requiredKeys: ['effect'] },
)

type WrittenRule = typeof rule extends fc.Arbitrary<infer R> ? R & { id: string } : never

const facts = fc
  .record({
    agent: name,
    server: name,
    tool: name,
    hints: fc.record(
      { readOnly: fc.boolean(), destructive: fc.boolean(), openWorld: fc.boolean() },
      { requiredKeys: [] },
    ),
    args: fc.record({ n: fc.integer({ min: 0, max: 3 }) }, { requiredKeys: [] }),
    riskFactors: fc.record(
      { external_communication: fc.constantFrom('declared' as const, 'assumed' as const) },
      { requiredKeys: [] },
    ),
  })
  .map(makeFacts)

describe('the index of rules', () => {
  it('gives the same result as checking every rule', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 25 }),
        fc.array(facts, { minLength: 1, maxLength: 6 }),
        (written, calls) => {
          const rules = written.map((one, i): WrittenRule => ({ ...one, id: `r${i}` }))
          const text = stringify(
            { rules: rules.map(one => ({ ...one, reason: 'r' })) },
            { aliasDuplicateObjects: false },
          )
          const { set, problems } = parsePolicies([{ path: 'p.yaml', text }])
          expect(problems).toEqual([])
          // Each call is made twice, because the second result comes from the cache. The calls are mixed, because the
          // cache must keep them apart.
          const mixed = calls.flatMap((call, i) => {
            const { agent, server, tool } = calls[(i + 1) % calls.length] ?? call
            const renamed = { ...call.tool, name: tool.name }
            return [
              { ...call, agent },
              { ...call, server },
              { ...call, tool: renamed },
            ]
          })
          for (const call of [...calls, ...mixed, ...calls])
            expect(set.evaluate(call).hits.map(({ id, effect }) => `${effect} ${id}`)).toEqual(
              slowly(rules, call),
            )
        },
      ),
      { numRuns: 200 },
    )
  })
})

/** A slow reference implementation, which checks every rule in turn. */
function slowly(rules: readonly WrittenRule[], call: Facts): readonly string[] {
  const failed: string[] = []
  const said: Record<string, string[]> = { deny: [], confirm: [], allow: [] }
  for (const one of rules) {
    if (!isAbout(one, call)) continue
    const holds = one.when === undefined ? true : CONDITIONS[one.when]?.(call)
    if (holds === undefined) failed.push(one.id)
    else if (holds) said[one.effect]?.push(one.id)
  }
  const show = (effect: string, ids: readonly string[] = []) => ids.map(id => `${effect} ${id}`)
  const rank = (id: string) =>
    ['deny', 'confirm', 'allow'].indexOf(rules.find(one => one.id === id)?.effect ?? '')
  return [
    ...show(
      'deny',
      failed.toSorted((a, b) => rank(a) - rank(b)),
    ),
    ...show('deny', said.deny),
    ...show('confirm', said.confirm),
    ...show('allow', said.allow),
  ]
}

function isAbout(
  { agents, servers, tools, variants, hints }: WrittenRule,
  { agent, server, tool }: Facts,
): boolean {
  const like = (pattern: string, text: string) => new RegExp(`^${pattern.replaceAll('*', '.*')}$`).test(text)
  if (agents && !agents.some(one => like(one, agent.name))) return false
  if (servers && !servers.some(one => like(one, server.name))) return false
  if (tools && !tools.some(one => like(one.includes(':') ? one : `*:${one}`, `${server.name}:${tool.name}`)))
    return false
  if (variants && !variants.some(one => tool.variant.endsWith(one))) return false
  for (const [hint, wanted] of Object.entries(hints ?? {})) {
    const found = tool.effective[hint as HintName]
    if (typeof wanted === 'boolean') {
      if (found.value !== wanted) return false
    } else if (found.value !== wanted.value || !wanted.source.includes(found.source)) return false
  }
  return true
}
