import { describe, expect, it, vi } from 'vitest'
import { rejectLookAlikes } from '../arguments/look-alikes.ts'

const file = { type: 'object', properties: { path: { type: 'string' } } }

describe('an argument whose name differs from a declared one only in case', () => {
  it.each<[string, object, unknown, string]>([
    ['at the top', file, { Path: 'x' }, 'Path'],
    ['beside the right one', file, { path: 'a', PATH: 'b' }, 'PATH'],
    ['in an object', { properties: { from: file } }, { from: { Path: 'x' } }, 'from.Path'],
    ['in a list', { properties: { files: { items: file } } }, { files: [{}, { Path: 1 }] }, 'files[1].Path'],
    [
      'in a list that the schema does not describe',
      { properties: { from: file } },
      { from: [{ Path: 1 }] },
      'from[0].Path',
    ],
    [
      'in a list with a schema for each position',
      { properties: { pair: { prefixItems: [file] } } },
      { pair: [{ Path: 1 }] },
      'pair[0].Path',
    ],
    [
      'behind a reference',
      { properties: { from: { $ref: '#/$defs/file' } }, $defs: { file } },
      { from: { Path: 'x' } },
      'from.Path',
    ],
    ['in one of several schemas', { allOf: [{ anyOf: [{}, file] }] }, { Path: 'x' }, 'Path'],
    [
      'in a condition',
      { if: false, else: { properties: { from: file } } },
      { from: { Path: 'x' } },
      'from.Path',
    ],
    ['of a member of any name', { additionalProperties: file }, { any: { Path: 'x' } }, 'any.Path'],
    ['of a member of such a name', { patternProperties: { '^f': file } }, { f1: { Path: 'x' } }, 'f1.Path'],
    [
      'in a recursive schema',
      { properties: { name: {}, child: { $ref: '#' } } },
      { child: { child: { child: { NAME: 'x' } } } },
      'child.child.child.NAME',
    ],
  ])('is refused %s', (_where, schema, args, field) => {
    expect(rejectLookAlikes(schema)(args)).toMatchObject({
      field,
      expected: expect.stringMatching(/^the spelling/),
    })
  })

  it.each<[string, object, unknown]>([
    ['as it is written', { properties: { from: file } }, { from: { path: 'x' } }],
    ['if the tool has both', { properties: { id: {}, ID: {} } }, { id: 1, ID: 2 }],
    [
      'if only another location has such a name',
      { properties: { path: {}, env: { type: 'object' } } },
      { path: 'x', env: { PATH: '/bin' } },
    ],
    ['if the schema has no properties', { type: 'object' }, { any: { thing: [1] } }],
    [
      'if the reference has no target',
      { properties: { from: { $ref: '#/nowhere' } } },
      { from: { Path: 1 } },
    ],
    ['if there is no schema', [], { a: 1 }],
  ])('is accepted %s', (_where, schema, args) => {
    expect(rejectLookAlikes(schema)(args)).toBeUndefined()
  })

  it.each<[string, object, object]>([
    [
      'a dynamic reference',
      { $defs: { file: { $dynamicAnchor: 'f', ...file } }, $dynamicRef: '#f' },
      { Path: 1 },
    ],
    ['a dependency', { dependencies: { kind: file } }, { kind: 1, Path: 1 }],
    [
      'a pattern, for a known member',
      { properties: { from: {} }, patternProperties: { '^f': file } },
      { from: { Path: 1 } },
    ],
  ])('is refused behind %s', (_what, schema, args) => {
    expect(rejectLookAlikes(schema)(args)).toBeDefined()
  })

  describe('the search for such names takes bounded time', () => {
    const keys = (count: number, value: unknown = {}) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`key${at}`, value]))
    const patterns = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`^key${at}$`, file]))
    const branches = Array.from({ length: 1000 }, (_, at) => ({
      properties: { [`key${at}`]: { $ref: '#' } },
    }))
    /** Every combination of these members leads to a different location. */
    const mixed = Array.from({ length: 60 }, (_, at) => ({
      properties: {
        a: { $ref: `#/$defs/${(at * 7 + 1) % 60}` },
        b: { $ref: `#/$defs/${(at * 11 + 3) % 60}` },
      },
    }))

    it.each<[string, object, object]>([
      ['many patterns', { patternProperties: patterns }, keys(45_000)],
      ['many patterns, and members', { properties: keys(20_000), patternProperties: patterns }, keys(20_000)],
      ['many branches', { anyOf: branches }, keys(20_000)],
      [
        'a schema that contains itself in many ways',
        { $defs: { ...mixed }, anyOf: mixed },
        { a: Array.from({ length: 2000 }, (_, at) => nest(at)) },
      ],
    ])('with %s', (_what, schema, args) => {
      const check = rejectLookAlikes(schema)
      const startedAt = process.cpuUsage()
      for (let round = 0; round < 3; round++) check(args, () => {})
      expect(process.cpuUsage(startedAt).user / 1000).toBeLessThan(3000)
    })

    it('and stores no more names than the schema has', () => {
      const many = keys(150_000)
      const schema = { properties: keys(900), patternProperties: { x: { properties: many } } }
      const check = rejectLookAlikes(schema)
      check({ key0: { a: 1 } })
      const before = process.memoryUsage().heapUsed
      for (let at = 0; at < 60; at++) check({ [`key${at}`]: { a: 1 } })
      expect((process.memoryUsage().heapUsed - before) / 1e6).toBeLessThan(200)
    })

    it('and stops at the depth limit', () => {
      for (const more of [{ $id: 'https://other.example/' }, { properties: keys(21_000) }]) {
        const onUnchecked = vi.fn()
        const big = { ...file, $defs: { more } }
        expect(
          rejectLookAlikes({ properties: { o: { $ref: '#/$defs/big' } }, $defs: { big } })(
            { o: { Path: 1 } },
            onUnchecked,
          ),
        ).toBeUndefined()
        expect(onUnchecked).toHaveBeenCalledOnce()
      }
    })

    it('and reports where it stopped', () => {
      const onUnchecked = vi.fn()
      const check = rejectLookAlikes({ anyOf: branches })
      expect(check(keys(1000), onUnchecked)).toBeUndefined()
      expect(onUnchecked).toHaveBeenCalledOnce()
      // Other calls are still checked.
      expect(check({ KEY1: 1 }, onUnchecked)?.field).toBe('KEY1')
      expect(check({ key1: {} }, onUnchecked)).toBeUndefined()
      expect(onUnchecked).toHaveBeenCalledOnce()
    })
  })
})

/** Creates nested objects with keys `a` and `b`, in an order that is different for every number. */
function nest(number: number): object {
  let inner: object = {}
  for (let bits = number + 1; bits > 0; bits >>= 1) inner = { [bits % 2 === 0 ? 'a' : 'b']: inner }
  return inner
}
