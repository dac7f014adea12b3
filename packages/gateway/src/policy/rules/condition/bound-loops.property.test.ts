import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { environment, meterWith, roomyEnvironment } from './environment.ts'
import { Meter } from './meter.ts'
import { boundLoops, hasLoop } from './syntax-tree.ts'

const { number, test } = fc.letrec<{ number: string; test: string }>(tie => {
  const two = (of: 'number' | 'test', operators: readonly string[]) =>
    fc
      .tuple(tie(of), fc.constantFrom(...operators), tie(of), fc.boolean())
      .map(([a, operator, b, isBracketed]) =>
        isBracketed ? `(${a} ${operator} ${b})` : `${a} ${operator} ${b}`,
      )
  return {
    number: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom(
        '1',
        '7',
        '-3',
        'x',
        'size(args.l)',
        'args.l[0]',
        '[x, 2][1]',
        '{"k": 5}["k"]',
        'args.?n.orValue(4)',
      ),
      two('number', ['+', '-', '*', '/', '%']),
      tie('number').map(one => `-(${one})`),
      fc.tuple(tie('test'), tie('number'), tie('number')).map(([a, b, c]) => `(${a} ? ${b} : ${c})`),
      tie('number').map(one => `size(args.l.map(x, ${one}))`),
      tie('test').map(one => `size(args.l.filter(x, ${one}))`),
    ),
    test: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom('true', 'has(args.n)', '"é\\n" in ["é\\n"]', 'r\'\\d\' == "\\\\d"'),
      two('number', ['<', '<=', '==', '!=', '>']),
      two('test', ['&&', '||', '==']),
      tie('test').map(one => `!(${one})`),
      fc
        .tuple(fc.constantFrom('all', 'exists', 'exists_one'), tie('test'))
        .map(([loop, one]) => `args.l.${loop}(x, ${one})`),
      tie('test').map(one => `cel.bind(x, 3, ${one})`),
      tie('number').map(one => `${one} in args.l.map(x, x > 1, x * 2)`),
    ),
  }
})

function evaluate(text: string): unknown {
  meterWith(new Meter())
  try {
    const l = [1n, 2n, 3n]
    return roomyEnvironment.parse(text)({ args: new Map<string, unknown>([['l', l]]) })
  } catch (error) {
    return error instanceof Error && 'code' in error ? error.code : error
  }
}

function isShort(text: string): boolean {
  try {
    return environment.parse(text) !== undefined
  } catch {
    return false
  }
}

describe('boundLoops()', () => {
  it('does not change the result of an expression', () => {
    fc.assert(
      fc.property(fc.oneof(test, number), inner => {
        const text = `[4].exists(x, ${inner} == ${inner}) && args.l.map(x, ${inner}) != []`
        fc.pre(isShort(text))
        const { ast } = environment.parse(text)
        expect(hasLoop(ast)).toBe(true)
        const bounded = boundLoops(ast)
        expect(bounded.split('__step').length).toBeGreaterThan(2)
        expect(evaluate(bounded)).toEqual(evaluate(text))
        const map = `args.l.map(x, ${inner})`
        expect(evaluate(boundLoops(environment.parse(map).ast))).toEqual(evaluate(map))
      }),
      { numRuns: 300 },
    )
  })
})
