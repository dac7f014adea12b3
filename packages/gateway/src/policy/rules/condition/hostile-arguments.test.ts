import { describe, expect, it } from 'vitest'
import { parseJson } from '../../../protocol/parse-json.ts'
import { decideWhen } from '../test-support/decide-when.ts'
import { makeFacts } from '../test-support/make-facts.ts'
import { CallView, viewTool } from './call-view.ts'
import { compileCondition } from './compile-condition.ts'

const TOO_LONG = { why: expect.stringMatching(/^the evaluation would take too long/) }

/** Measures CPU time of this process, because other load on the machine does not affect it. */
function timed<T>(action: () => T): readonly [T, number] {
  const before = process.cpuUsage()
  const result = action()
  const { user, system } = process.cpuUsage(before)
  return [result, (user + system) / 1_000]
}

describe('hostile arguments', () => {
  it.each(['constructor', '__proto__', 'prototype', 'toString', 'hasOwnProperty', 'get', 'size'])(
    'cannot reach built-in properties by the name %s',
    name => {
      const own = JSON.parse(`{"${name}": {"name": "Map"}, "inner": {"${name}": "mine"}}`) as Record<
        string,
        unknown
      >
      expect(decideWhen(`has(args.${name === '__proto__' ? 'inner' : name})`, {})).toBe(false)
      expect(decideWhen(`"${name}" in args`, {})).toBe(false)
      expect(decideWhen(`args["${name}"] == 1`, {})).toHaveProperty('why')
      // A key that is present counts as an ordinary key, whatever its name.
      expect(
        decideWhen(`args["${name}"].name == "Map" && args.inner["${name}"] == "mine"`, { args: own }),
      ).toBe(true)
    },
  )

  it('cannot shadow type names to turn a fault into a result', () => {
    const args = { a: { constructor: { name: 's3cret' } }, b: { valueOf: 1, length: 5 } }
    expect(decideWhen('args.a == {"x": 1}', { args })).toBe(false)
    expect(decideWhen('size(args.b) == 2', { args })).toBe(true)
  })

  it('fail the condition when nested too deeply', () => {
    let deep: unknown = 'x'
    for (let i = 0; i < 5_000; i++) deep = { a: deep }
    expect(decideWhen('has(args.a)', { args: deep as Record<string, unknown> })).toEqual({
      why: 'the arguments are nested more than 100 deep',
    })
  })

  it('fail the condition when there are too many', () => {
    const args = { list: Array.from({ length: 200_000 }, () => 0) }
    expect(decideWhen('size(args.list) > 3', { args })).toEqual({
      why: 'the call has more than 100000 argument values',
    })
  })

  it('are counted once for all rules that read them', () => {
    let looks = 0
    const list = Array.from({ length: 200_000 }, () => 0)
    const args = Object.defineProperty({}, 'list', {
      enumerable: true,
      get: () => {
        looks += 1
        return list
      },
    })
    const facts = makeFacts({ args })
    const view = new CallView(facts, viewTool(facts.tool))
    for (let rule = 0; rule < 5; rule += 1)
      expect(() => view.args).toThrow('more than 100000 argument values')
    expect(looks).toBe(1)
  })

  it.each([
    ['a loop in a loop', 'args.list.all(a, args.list.all(b, a + b >= 0))'],
    ['a loop in a loop that swallows errors', 'args.list.exists(a, args.list.exists(b, a + b < 0)) || true'],
    ['a search in a loop', 'args.list.all(a, !(a in args.other))'],
    ['a text search in a loop', 'args.list.all(a, !args.text.contains(string(a) + "x"))'],
    ['a text search in a loop by another name', 'cel.bind(t, args.text, args.list.all(a, !t.contains("b")))'],
    ['a loop over what the rule brings', `args.list.all(a, [${'1,'.repeat(499)}1].all(b, b > 0))`],
    ['three loops', 'args.list.map(a, args.list.filter(b, args.list.exists_one(c, c == a))) == []'],
    ['a pattern in a loop', 'args.list.all(a, !re(args.text, "(a|aa)+b"))'],
    ['a pattern that counts', 're(args.noise, "a[ab]{14}z")'],
  ])('cannot exhaust the CPU with %s', (_what, when) => {
    const args = {
      list: Array.from({ length: 30_000 }, (_, i) => i),
      other: Array.from({ length: 30_000 }, () => -1),
      text: 'a'.repeat(1_000_000),
      noise: `${Array.from({ length: 700_000 }, (_, i) => 'ab'[(i * i * 7 + (i >> 3)) % 2]).join('')}z`,
    }
    const [outcome, ms] = timed(() => decideWhen(when, { args }))
    expect(outcome).toEqual(TOO_LONG)
    expect(ms).toBeLessThan(5_000)
  })

  it('cannot exhaust the CPU through the intent', () => {
    const args = { list: Array.from({ length: 90_000 }, (_, i) => i) }
    const intent = { reason: 'a'.repeat(1_000_000) }
    expect(decideWhen('args.list.all(a, !intent.reason.contains("b"))', { args, intent })).toEqual(TOO_LONG)
  })

  it('can be long lists if a rule reads each element once', () => {
    const to = Array.from({ length: 10_000 }, (_, i) => `user${i}@corp.example`)
    expect(decideWhen('args.to.all(one, domain(one, "corp.example"))', { args: { to } })).toBe(true)
    const text = 'a'.repeat(1_000_000)
    expect(decideWhen('args.to.all(one, one.endsWith("example"))', { args: { to, text } })).toBe(true)
  })

  it('cannot cause backtracking in regular expressions', () => {
    expect(compileCondition('tool.name.matches("(a+)+$")').condition).toBeUndefined()
    const [outcome, ms] = timed(() =>
      decideWhen('re(args.text, "^(a+)+$")', { args: { text: `${'a'.repeat(50_000)}!` } }),
    )
    expect(outcome).toBe(false)
    expect(ms).toBeLessThan(5_000)
  })

  it('keep all digits of numbers that a double would round', () => {
    const parsed = parseJson(
      '{"id": 9007199254740993, "huge": 123456789012345678901234567890, "f": 0.10000000000000000001}',
      9,
    )
    const args = (parsed.ok ? parsed.value : {}) as Record<string, unknown>
    expect(decideWhen('args.id == 9007199254740993 && args.id != 9007199254740992', { args })).toBe(true)
    expect(decideWhen('args.huge > 1.0 && args.f < 0.2', { args })).toBe(true)
  })
})
