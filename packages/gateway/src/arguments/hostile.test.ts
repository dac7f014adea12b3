import { describe, expect, it } from 'vitest'
import type { Json } from '../protocol/messages.ts'
import { BUDGET } from './budget.ts'
import { compileSchema, type Examination, examine } from './compile-schema.ts'
import { readRules } from './run.ts'

/** Upper bound on the units spent in one step, for the fields of one object or the characters of one text. */
const LARGEST_STEP = 300_000

function examineOnce(schema: Json, args: unknown): Examination {
  return examine(args, schema, readRules(schema))
}

function repeat<T>(times: number, make: (at: number) => T): T[] {
  return Array.from({ length: times }, (_, at) => make(at))
}

function nest(times: number, wrap: (inner: unknown) => unknown, inner: unknown = {}): unknown {
  let value = inner
  for (let level = 0; level < times; level++) value = wrap(value)
  return value
}

function doublingDefinitions(): Json {
  const entries = repeat(40, at => {
    const next = { $ref: `#/$defs/d${at + 1}` }
    return [`d${at}`, { allOf: [next, next] }]
  })
  return { $ref: '#/$defs/d0', $defs: Object.fromEntries([...entries, ['d40', { type: 'object' }]]) }
}

const CHILD = { $ref: '#/$defs/node' }
const NODE = { type: 'object', properties: { c: CHILD } }
const RECURSIVE = {
  ...CHILD,
  $defs: { node: { anyOf: ['x', 'y', 'z'].map(name => ({ ...NODE, required: [name] })) } },
}
const MANY_FIELDS = Object.fromEntries(repeat(100_000, at => [`k${at}`, 1]))
const SOME_FIELDS = Object.fromEntries(repeat(10_000, at => [`k${at}`, 1]))
const LONG_NAMES = Object.fromEntries(repeat(8_000, at => [`${'k'.repeat(700)}${at}`, 1]))
const MANY_AS = repeat(10_000, () => 'a')
const MANY_OBJECTS = repeat(10_000, () => ({ a: 1 }))
const MANY_NAMES = repeat(10_000, at => `r${at}`)

describe('hostile schemas and arguments', () => {
  it.each<[string, Json, unknown]>([
    ['definitions that double forty times', doublingDefinitions(), {}],
    ['a loop of alternatives', { anyOf: [{ $ref: '#' }, { $ref: '#' }] }, {}],
    ['a loop of negations', { allOf: [{ not: { $ref: '#' } }, { not: { $ref: '#' } }] }, {}],
    ['dynamic loops', { allOf: [{ $dynamicRef: '#a' }, { $recursiveRef: '#' }], $dynamicAnchor: 'a' }, {}],
    ['recursive alternatives for a deep value', RECURSIVE, nest(90, c => ({ c }))],
    [
      'a length of a long text, many times',
      { allOf: repeat(20_000, () => ({ minLength: 600_000 })) },
      'x'.repeat(1e6),
    ],
    [
      'a count of many fields, many times',
      { allOf: repeat(20_000, () => ({ minProperties: 1 })) },
      MANY_FIELDS,
    ],
    [
      'many fields missing from many items',
      { contains: { required: MANY_NAMES } },
      repeat(10_000, () => ({})),
    ],
    [
      'many fields missing in many alternatives',
      { anyOf: repeat(10_000, () => ({ required: MANY_NAMES })) },
      {},
    ],
    [
      'many items that are almost equal',
      { uniqueItems: true },
      repeat(5_000, at => ({ a: repeat(50, () => 'x'), at })),
    ],
    ['long names of fields to compare', { uniqueItems: true }, [LONG_NAMES]],
    ['many objects to choose from', { enum: repeat(10_000, at => ({ at })) }, SOME_FIELDS],
    ['many texts to choose from, many times', { items: { enum: MANY_NAMES } }, repeat(10_000, () => '?')],
    ['many alternatives', { anyOf: repeat(100_000, () => ({ type: 'string' })) }, {}],
    ['many dependencies', nest(30, s => ({ dependentSchemas: { a: s, b: s } })) as Json, { a: 1, b: 1 }],
    [
      'many patterns for many fields',
      { patternProperties: Object.fromEntries(MANY_NAMES.map(n => [n, {}])) },
      SOME_FIELDS,
    ],
    ['many requirements, many times', { items: { required: MANY_AS } }, MANY_OBJECTS],
    ['many companions, many times', { items: { dependentRequired: { a: MANY_AS } } }, MANY_OBJECTS],
    ['many types', { items: { type: repeat(10_000, () => 'string') } }, repeat(10_000, () => 1)],
    [
      'unevaluated fields at every level',
      nest(300, s => ({ allOf: [s], unevaluatedProperties: true })) as Json,
      SOME_FIELDS,
    ],
  ])('end unchecked: %s', (_what, schema, args) => {
    const { kind, spent } = examineOnce(schema, args)
    expect(kind).toBe('unchecked')
    expect(spent).toBeGreaterThan(BUDGET)
    expect(spent).toBeLessThan(BUDGET + LARGEST_STEP)
    expect(compileSchema(schema)(args)).toBeUndefined()
  })

  it.each<[string, Json, unknown]>([
    ['a loop', { $ref: '#' }, {}],
    ['a deep schema', nest(100_000, not => ({ not })) as Json, 'x'],
    ['deep arguments', { items: { $ref: '#' } }, nest(100_000, inner => [inner], [])],
    ['deep arguments and alternatives', RECURSIVE, nest(100_000, c => ({ c }))],
    [
      'deep arguments to compare',
      { const: nest(100_000, inner => [inner], []) },
      nest(100_000, inner => [inner], []),
    ],
    ['arguments in a circle', { items: { $ref: '#' }, uniqueItems: true }, circle()],
    ['many references to elsewhere', { allOf: repeat(30_000, at => ({ $ref: `http://x/${at}` })) }, {}],
    [
      'documents in documents',
      nest(100, a => ({ $id: 'x', properties: { a } }), CHILD) as Json,
      nest(100, a => ({ a })),
    ],
  ])('cause no stack overflow or delay: %s', (_what, schema, args) => {
    expect(examineOnce(schema, args).kind).not.toBe('failed')
    expect(compileSchema(schema)(args)).toBeUndefined()
  })

  it('cost the same at any depth of a long text', () => {
    const text = `${'a'.repeat(3e6)}\u4e00`
    const timeOf = (depth: number): number => {
      const items = nest(depth, inner => [inner, 1], text)
      const before = process.cpuUsage()
      expect(examineOnce({ uniqueItems: true }, [items]).kind).toBe('passed')
      return process.cpuUsage(before).user / 1000
    }
    timeOf(1)
    // Copying the text at every level would take a hundred times as long.
    expect(timeOf(180)).toBeLessThan(10 * timeOf(1) + 50)
  })

  it('are checked next to a list that exceeds maxItems', () => {
    const schema = {
      properties: { list: { items: { type: 'string' }, maxItems: 100 }, mode: { type: 'string' } },
    }
    const list = repeat(200_000, () => 'x')
    expect(compileSchema(schema)({ list, mode: 1 })?.problems).toBe(2)
  })

  it('does not affect large but ordinary arguments', () => {
    const row = Object.fromEntries(repeat(10, at => [`column${at}`, { type: 'string' }]))
    const schema = { properties: { rows: { items: { properties: row, additionalProperties: false } } } }
    const good = Object.fromEntries(repeat(10, at => [`column${at}`, 'x']))
    const rows = repeat(4_000, () => good)
    expect(examineOnce(schema, { rows }).kind).toBe('passed')
    const wrong = { rows: [...rows, { ...good, column9: 1 }] }
    expect(compileSchema(schema)(wrong)?.field).toBe('rows[4000].column9')
  })
})

function circle(): unknown {
  const list: unknown[] = []
  list.push(list)
  return list
}

describe('the shown part of a problem', () => {
  it('is bounded for every schema and arguments', () => {
    const name = '\u0001'.repeat(10_000)
    const schema = {
      description: 'd'.repeat(1_000_000),
      properties: Object.fromEntries(repeat(50, at => [`r${at}${name}`, { enum: MANY_NAMES }])),
      additionalProperties: false,
    }
    for (const args of [{ [name]: 1 }, { [`r1${name}`]: 1 }]) {
      const problem = compileSchema(nest(20, items => ({ items }), schema))(nest(20, item => [item], args))
      expect(JSON.stringify(problem).length).toBeLessThan(6_000)
    }
  })

  it('is bounded for deep paths', () => {
    const deep = nest(100, inner => ({ ['x'.repeat(64)]: inner }), 1)
    const schema = { additionalProperties: { $ref: '#' }, type: 'object' }
    expect(compileSchema(schema)(deep)?.field.length).toBeLessThan(310)
  })
})
