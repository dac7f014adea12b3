import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkConfigText } from '../../packages/gateway/src/config/load-config.ts'
import { compileGuardrails } from '../../packages/gateway/src/policy/guardrails/compile-guardrails.ts'
import { factsOf } from '../../packages/gateway/src/policy/guardrails/test-support/facts-of.ts'
import { ONE_OF_EACH } from '../../packages/gateway/src/policy/guardrails/test-support/one-of-each.ts'
import { parsePolicies } from '../../packages/gateway/src/policy/rules/parse-policies.ts'
import { makeFacts } from '../../packages/gateway/src/policy/rules/test-support/make-facts.ts'
import { jsonObjectText, jsonText, mutated } from './arbitrary-json.ts'
import { effort, TIMEOUT_MS } from './budget.ts'

/** A time limit far above what any of these need. */
const PATIENCE_MS = 2000
const SECRET = 'S3CR3T-that-nobody-may-read-4711'

const value = fc.oneof(
  jsonText.map(text => JSON.parse(text) as unknown),
  fc.constantFrom(
    SECRET,
    `\${env:KEY}`,
    `\${file:/nowhere}`,
    '${',
    '5m',
    '1h',
    '64kb',
    '60/m',
    'always',
    '*',
    '127.0.0.1:0',
  ),
)

/** An object in which some known keys have arbitrary values. */
const some = (keys: readonly string[]): fc.Arbitrary<Record<string, unknown>> =>
  fc.dictionary(
    fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...keys) }, fc.string({ maxLength: 5 })),
    value,
    { maxKeys: 4 },
  )

function quickly<T>(work: () => T): T {
  const startedAt = process.cpuUsage()
  const result = work()
  expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(PATIENCE_MS)
  return result
}

const server = some([
  'command',
  'args',
  'env',
  'cwd',
  'url',
  'headers',
  'type',
  'trust',
  'timeout',
  'retry',
  'sandbox',
  'resources',
  'allowUnsafeEnv',
  'guardrails',
  'rate',
  'oauth',
])
const config = fc
  .tuple(
    some([
      'listen',
      'store',
      'profile',
      'confirm',
      'policies',
      'limits',
      'results',
      'tls',
      'allowedHosts',
      'audit',
      'log',
      'telemetry',
      'oauth',
      'overrides',
    ]),
    fc.dictionary(fc.string({ maxLength: 6 }), server, { maxKeys: 3 }),
    fc.dictionary(
      fc.string({ maxLength: 6 }),
      some(['permissions', 'servers', 'tools', 'token', 'expires', 'rate', 'guardrails']),
      { maxKeys: 2 },
    ),
  )
  .map(([rest, mcpServers, agent_tokens]) =>
    JSON.stringify({ ...rest, mcpServers, agent_tokens }, undefined, 1),
  )

describe('the config parser', () => {
  it(
    'returns a config, or problems with location and fix, and never quotes a value',
    () => {
      const options = { env: { KEY: SECRET }, cwd: '/nowhere', homeDir: '/nowhere' }
      fc.assert(
        fc.property(fc.oneof(config, mutated(config), mutated(jsonText)), text => {
          const read = quickly(() => checkConfigText(text, '/nowhere/hintgate.json', options))
          expect(read.config !== undefined || read.problems.length > 0).toBe(true)
          const lines = text.split('\n').length
          for (const { line, column, message, fix } of read.problems) {
            expect([message.length > 0, fix.length > 0, line >= 1 && line <= lines, column >= 1]).toEqual([
              true,
              true,
              true,
              true,
            ])
            expect(`${message} ${fix}`).not.toContain(SECRET)
          }
        }),
        effort(150),
      )
    },
    TIMEOUT_MS,
  )
})

const guardrail = fc
  .tuple(
    fc.constantFrom(...ONE_OF_EACH),
    some([
      'field',
      'pattern',
      'patterns',
      'domains',
      'values',
      'max',
      'min',
      'keywords',
      'effect',
      'tools',
      'window',
      'limit',
      'from',
      'to',
      'zone',
      'prefix',
    ]),
  )
  .map(([rule, more]) => ({ ...rule, ...more }))

describe('the guardrail parser', () => {
  it(
    'compiles a rule or reports problems, and a compiled rule checks any arguments',
    () => {
      fc.assert(
        fc.property(
          fc.array(fc.oneof(guardrail, fc.constantFrom(...ONE_OF_EACH), value), { maxLength: 3 }),
          jsonObjectText,
          (rules, args) => {
            const { guardrails, problems } = quickly(() =>
              compileGuardrails([{ layer: 'global', path: ['guardrails'], rules }]),
            )
            for (const { message, fix } of problems)
              expect([message.length > 0, fix.length > 0]).toEqual([true, true])
            const hits = quickly(() => guardrails.check(factsOf(JSON.parse(args))))
            for (const hit of hits) expect(hit.reason.text.length).toBeGreaterThan(0)
          },
        ),
        effort(500),
      )
    },
    TIMEOUT_MS,
  )
})

const CONDITIONS = [
  'args.n > 1',
  'args.path.startsWith("/")',
  're(args.text, "(a+)+$")',
  'has(args.a.b)',
  'tool.hints.egress.value',
  'args.list.exists(x, x == 1)',
  'size(args) > 2',
  'args["__proto__"] == 1',
  'now.getHours() > 5',
  'args.a in ["x"]',
  'string(args.a) + "x" == "x"',
]
const rule = fc
  .tuple(
    fc.record({
      id: fc.string({ maxLength: 5 }),
      effect: fc.constantFrom('allow', 'confirm', 'deny'),
      reason: fc.string({ maxLength: 8 }),
    }),
    fc.record(
      { when: fc.oneof(fc.constantFrom(...CONDITIONS), mutated(fc.constantFrom(...CONDITIONS))) },
      { requiredKeys: [] },
    ),
    some(['agents', 'servers', 'tools', 'variants', 'hints', 'channel', 'remember']),
  )
  .map(parts => Object.assign({}, ...parts) as Record<string, unknown>)
// JSON is also YAML; mutations make it less of both.
const policy = fc.array(rule, { maxLength: 3 }).map(rules => JSON.stringify({ rules }, undefined, 1))

describe('the policy parser', () => {
  it(
    'reads rules or reports problems, and a valid rule decides any call',
    () => {
      fc.assert(
        fc.property(fc.oneof(policy, mutated(policy)), jsonObjectText, (text, args) => {
          const { set, problems } = quickly(() => parsePolicies([{ path: 'p.yaml', text }]))
          for (const { message, fix, line } of problems)
            expect([message.length > 0, fix.length > 0, line >= 1]).toEqual([true, true, true])
          const { hits } = quickly(() =>
            set.evaluate(makeFacts({ args: JSON.parse(args) as Record<string, unknown> })),
          )
          for (const hit of hits) expect(['allow', 'confirm', 'deny']).toContain(hit.effect)
        }),
        effort(250),
      )
    },
    TIMEOUT_MS,
  )
})
