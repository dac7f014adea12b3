import { describe, expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import { compileSchema } from './compile-schema.ts'

const TEXT = {
  type: 'object',
  properties: { kind: { const: 'text' }, text: { type: 'string' } },
  required: ['kind', 'text'],
  additionalProperties: false,
}
const HTML = {
  type: 'object',
  properties: { kind: { const: 'html' }, html: { type: 'string' } },
  required: ['kind', 'html'],
  additionalProperties: false,
}
const RECIPIENT = {
  type: 'object',
  properties: { address: { type: 'string', minLength: 3 }, name: { type: ['string', 'null'] } },
  required: ['address'],
  additionalProperties: false,
}
const MAIL = {
  type: 'object',
  properties: {
    to: { type: 'array', minItems: 1, items: RECIPIENT },
    subject: { type: 'string', maxLength: 20 },
    priority: { enum: ['low', 'normal', 'high'] },
    when: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
    body: { oneOf: [TEXT, HTML] },
    copies: { type: 'integer', minimum: 1, exclusiveMaximum: 100 },
  },
  required: ['to', 'subject'],
  additionalProperties: false,
}
const GOOD = { to: [{ address: 'a@b.c', name: null }], subject: 'Hello' }

/** A recursive schema as pydantic and zod generate it. */
const NODE = {
  type: 'object',
  properties: {
    label: { type: 'string', pattern: '^[a-z]+$' },
    children: { type: 'array', items: { $ref: '#/$defs/Node' } },
  },
  required: ['label'],
}
const TREE = {
  $defs: { Node: NODE },
  type: 'object',
  properties: { root: { $ref: '#/$defs/Node' }, depth: { type: 'integer', multipleOf: 2 } },
  required: ['root'],
}

function mail(changes: Record<string, unknown>): unknown {
  return { ...GOOD, ...changes }
}

const IF_A_THEN_B = JSON.parse(
  '{"if":{"required":["a"]},"then":{"required":["b"]},"else":{"required":["c"]}}',
)
const UNEVALUATED = { allOf: [{ properties: { a: {} } }], unevaluatedProperties: false }
const ANY = { anyOf: [{ properties: { a: {} } }, { properties: { b: {} } }], unevaluatedProperties: false }
const TAKES = { properties: { a: {} }, unevaluatedProperties: { type: 'string' } }
const CONTAINS = { contains: { type: 'string' } }
const TUPLE = { items: [{ type: 'string' }], additionalItems: false }
const MAP = { additionalProperties: { type: 'number' } }

describe('valid arguments', () => {
  it.each([
    ['all required fields', MAIL, GOOD],
    ['every optional field', MAIL, mail({ priority: 'high', when: null, copies: 99 })],
    ['one of two alternatives', MAIL, mail({ body: { kind: 'html', html: '<p>' } })],
    ['a tree', TREE, { root: { label: 'a', children: [{ label: 'b', children: [] }] }, depth: 4 }],
    ['a whole number written with a fraction of zero', { type: 'integer' }, JSON.parse('4.0')],
    ['characters beyond the basic plane, each counted as one', { maxLength: 2 }, '😀😀'],
    ['a decimal fraction', { multipleOf: 0.01 }, 19.99],
    ['a tuple', { prefixItems: [{ type: 'string' }, { type: 'number' }], items: false }, ['a', 1]],
    ['a tuple in the keywords of draft 7', TUPLE, ['a']],
    ['a number too large for an exact division', { multipleOf: 0.5 }, 1e308],
    [
      'one of several objects, with its fields in another order',
      { enum: [{ a: 1, b: [2] }] },
      { b: [2], a: 1 },
    ],
    ['fields that a sibling schema evaluates', UNEVALUATED, { a: 1 }],
    ['fields that any alternative evaluates', ANY, { a: 1, b: 1 }],
    ['items that are contained', { contains: { type: 'string' }, unevaluatedItems: false }, ['a', 'b']],
    ['items that are contained, in an alternative', { anyOf: [CONTAINS], unevaluatedItems: false }, ['a']],
    [
      'fields that a sibling schema has already evaluated',
      { allOf: [TAKES], unevaluatedProperties: false },
      { a: 1, b: 'x' },
    ],
    ['the value that `then` requires', IF_A_THEN_B, { a: 1, b: 1 }],
    ['the value that `else` requires', IF_A_THEN_B, { c: 1 }],
    ['null where OpenAPI says nullable', { type: 'string', nullable: true }, null],
    ['nothing, for a tool without fields', { type: 'object', properties: {} }, undefined],
    ['a field called __proto__', MAP, JSON.parse('{"__proto__":1}')],
    ['any format', { format: 'email' }, 'nobody'],
  ])('pass: %s', (_what, schema, args) => {
    expect(compileSchema(schema)(args)).toBeUndefined()
  })

  it.each([true, false, null, undefined, 7, 'object', [{ type: 'string' }]])(
    'pass without a schema: %s',
    schema => {
      const check = compileSchema(schema)
      for (const args of [{}, { a: 1 }, [], 'x', null, undefined]) expect(check(args)).toBeUndefined()
    },
  )
})

describe('invalid arguments', () => {
  it.each([
    ['the field "to", which is missing', 'to', MAIL, undefined],
    ['an object, not an array', '', MAIL, []],
    ['an array, not a string', 'to', MAIL, mail({ to: 'a@b.c' })],
    ['at least 1 item', 'to', MAIL, mail({ to: [] })],
    ['a string, not a number', 'to[0].address', MAIL, mail({ to: [{ address: 5 }] })],
    ['a string of at least 3 characters', 'to[0].address', MAIL, mail({ to: [{ address: 'a' }] })],
    [
      'no field "adress" (did you mean "address"?)',
      'to[0].adress',
      MAIL,
      mail({ to: [{ adress: 'a@b.c' }] }),
    ],
    ['no field "colour"', 'colour', MAIL, mail({ colour: 'red' })],
    ['a string of at most 20 characters', 'subject', MAIL, mail({ subject: 'x'.repeat(21) })],
    ['one of "low", "normal", "high" (did you mean "high"?)', 'priority', MAIL, mail({ priority: 'hig' })],
    ['a whole number, not a string', 'copies', MAIL, mail({ copies: '5' })],
    ['a whole number, not a fraction', 'copies', MAIL, mail({ copies: 1.5 })],
    ['1 or more', 'copies', MAIL, mail({ copies: 0 })],
    ['less than 100', 'copies', MAIL, mail({ copies: 100 })],
    ['a multiple of 2', 'depth', TREE, { root: { label: 'a' }, depth: 3 }],
    ['a string that matches the pattern ^[a-z]+$', 'root.label', TREE, { root: { label: 'B' } }],
    [
      'the field "label", which is missing',
      'root.children[0].label',
      TREE,
      { root: { label: 'a', children: [{}] } },
    ],
    [
      'the field "depth", which is missing (found "dept" instead)',
      'depth',
      { ...TREE, required: ['depth'] },
      { dept: 1 },
    ],
    ['nothing: the schema allows no value here', 'a', { properties: { a: false } }, { a: 1 }],
    [
      'every field name to be a string of at most 1 character; "ab" is not',
      '',
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
    ],
    ['the field "b", which other fields require', 'b', { dependentRequired: { a: ['b'] } }, { a: 1 }],
    ['the field "b", which is missing', 'b', { dependentSchemas: { a: { required: ['b'] } } }, { a: 1 }],
    ['the field "b", which other fields require', 'b', { dependencies: { a: ['b'] } }, { a: 1 }],
    ['the field "b", which is missing', 'b', IF_A_THEN_B, { a: 1 }],
    ['the field "c", which is missing', 'c', IF_A_THEN_B, {}],
    [
      'anything that does not match {"required":["a","b"]}',
      '',
      { not: { required: ['a', 'b'] } },
      { a: 1, b: 1 },
    ],
    ['at least 2 fields', '', { minProperties: 2 }, { a: 1 }],
    ['at most 0 fields', '', { maxProperties: 0 }, { a: 1 }],
    ['no field "b"', 'b', UNEVALUATED, { a: 1, b: 1 }],
    ['items that all differ', '', { uniqueItems: true }, ['a', 'b', 'a']],
    [
      'items that all differ',
      '',
      { uniqueItems: true },
      [
        { a: 1, b: 2 },
        { b: 2, a: 1 },
      ],
    ],
    ['at most 1 item', '', { maxItems: 1 }, [1, 2]],
    ['at least 1 item matching {"type":"string"}', '', { contains: { type: 'string' } }, [1]],
    [
      'at most 1 item matching {"type":"string"}',
      '',
      { contains: { type: 'string' }, maxContains: 1 },
      ['a', 'b'],
    ],
    ['nothing: the schema allows no value here', '[1]', { prefixItems: [{}], items: false }, ['a', 'b']],
    ['a string, not a number', '[1]', { prefixItems: [{}], unevaluatedItems: { type: 'string' } }, [1, 2]],
    ['a string, not a number', '[0]', TUPLE, [1]],
    ['nothing: the schema allows no value here', '[1]', TUPLE, ['a', 'b']],
    ['no field "toString"', 'toString', { properties: {}, additionalProperties: false }, { toString: 1 }],
    ['no field "a"', 'a', { allOf: [{ properties: { a: {} } }, { unevaluatedProperties: false }] }, { a: 1 }],
    ['more than 0', '', { minimum: 0, exclusiveMinimum: true }, 0],
    ['{"a":1}', '', { const: { a: 1 } }, { a: 2 }],
    ['a number, not a string', '__proto__', MAP, JSON.parse('{"__proto__":"x"}')],
    ['a number, not an object', '["a b"]', MAP, { 'a b': {} }],
    ['no field "a\\u{202e}b"', '["a\\u{202e}b"]', { additionalProperties: false }, { 'a\u202Eb': 1 }],
  ])('report: expected %s', (expected, field, schema, args) => {
    expect(compileSchema(schema)(args)).toMatchObject({ field, expected })
  })

  it('report the number of problems, up to a hundred', () => {
    const check = compileSchema({ items: MAIL })
    expect(check([GOOD, { ...GOOD, to: 1, subject: 2 }, { subject: 'x', extra: 1 }])?.problems).toBe(4)
    expect(check(Array.from({ length: 100_000 }, () => 1))?.problems).toBe(100)
  })

  it('report the schema of the wrong or missing field', () => {
    const check = compileSchema(MAIL)
    expect(check(mail({ copies: 0 }))?.schema).toEqual(MAIL.properties.copies)
    expect(check({ subject: 'x' })?.schema).toEqual(MAIL.properties.to)
  })
})

describe('a value that matches no alternative', () => {
  it.each([
    [
      'the one of the right type',
      'to[0].name',
      'a string or null, not a number',
      { to: [{ address: 'abc', name: 5 }] },
    ],
    [
      'the one with the right tag',
      'body.htm',
      'no field "htm" (did you mean "html"?)',
      { body: { kind: 'html', htm: '' } },
    ],
    ['all of them, for a tag that none has', 'body.kind', 'one of "text", "html"', { body: { kind: 'md' } }],
    [
      'all of them, for a type that none has',
      'when',
      'a string (date-time) or null, not a number',
      { when: 7 },
    ],
    ['one description for two alternatives of one type', 'body', 'an object, not a string', { body: 'x' }],
  ])('%s', (_what, field, expected, changes) => {
    expect(compileSchema(MAIL)(mail(changes))).toMatchObject({ field, expected })
  })

  it('reports a nested problem of the closest alternative', () => {
    const items = { anyOf: [{ type: 'integer' }, { const: 'all' }, { anyOf: [{ type: 'null' }] }] }
    const schema = { anyOf: [{ type: 'string' }, { type: 'array', items }] }
    const expected = '"all" or a whole number or null'
    expect(compileSchema(schema)([1, true])).toMatchObject({ field: '[1]', expected })
  })

  it('reports that more than one alternative of oneOf matches', () => {
    const schema = { oneOf: [{ type: 'number' }, { minimum: 0 }, { type: 'string' }] }
    const expected = 'a value that matches exactly one alternative; this one matches 2'
    expect(compileSchema(schema)(1)).toMatchObject({ field: '', expected })
  })
})

describe('references', () => {
  it.each([
    ['by pointer', { $ref: '#/$defs/a~1%25' }],
    ['by anchor', { $ref: '#named' }],
    ["by the document's own name", { $ref: 'https://example.com/x#named' }],
    ['by dynamic anchor', { $dynamicRef: '#named' }],
  ])('are resolved %s', (_how, reference) => {
    const $defs = { 'a/%': { $anchor: 'named', type: 'string' } }
    const check = compileSchema({ $id: 'https://example.com/x', $defs, properties: { a: reference } })
    expect(check({ a: 1 })).toMatchObject({ field: 'a', expected: 'a string, not a number' })
    expect(check({ a: 'x' })).toBeUndefined()
  })

  it.each([{ $ref: '#' }, { $recursiveRef: '#' }])('to the whole schema are resolved: %j', reference => {
    const check = compileSchema({ properties: { a: reference }, required: ['b'] })
    expect(check({ a: { b: 1 }, b: 1 })).toBeUndefined()
    expect(check({ a: {}, b: 1 })).toMatchObject({ field: 'a.b' })
  })

  it('disable sibling keywords up to draft 7, but not later', () => {
    const schema = { $ref: '#/$defs/any', type: 'string', $defs: { any: {} } }
    const expected = 'a string, not a number'
    expect(
      compileSchema({ ...schema, $schema: 'http://json-schema.org/draft-07/schema#' })(1),
    ).toBeUndefined()
    for (const $schema of [undefined, 'https://json-schema.org/draft/2019-09/schema'])
      expect(compileSchema({ ...schema, $schema })(1)).toMatchObject({ expected })
  })
})

describe('numbers that the parser keeps exactly', () => {
  const keep = (digits: string): unknown => {
    const parsed = parseJson(digits, 1)
    return parsed.ok ? parsed.value : undefined
  }
  const BIG = keep('9223372036854775807')
  const BIGGER = keep('9223372036854775808')

  it.each([
    [{ type: 'integer' }, BIG],
    [{ type: 'number' }, BIG],
    [{ type: 'integer' }, keep('1e999')],
    [{ type: 'integer', maximum: BIG }, BIG],
    [{ exclusiveMaximum: BIGGER }, BIG],
    [{ const: BIG }, BIG],
    [{ enum: [keep('10e999')] }, keep('1e1000')],
    [{ multipleOf: 7 }, BIG],
    [{ minLength: 100, pattern: '^a' }, BIG],
  ])('are checked as numbers: %j', (schema, value) => {
    expect(compileSchema(schema)(value)).toBeUndefined()
  })

  it.each([
    [{ type: 'string' }, BIG, 'a string, not a number'],
    [{ type: 'integer' }, keep('0.12345678901234567890'), 'a whole number, not a fraction'],
    [{ type: 'integer' }, keep('1e-400'), 'a whole number, not a fraction'],
    [{ maximum: 10 }, BIG, '10 or less'],
    [{ minimum: BIG }, 10, '9223372036854775807 or more'],
    [{ enum: [BIG, 'a'] }, 10, 'one of 9223372036854775807, "a"'],
  ])('are refused like other numbers: %j', (schema, value, expected) => {
    expect(compileSchema(schema)(value)?.expected).toBe(expected)
  })

  it('are shown as numbers', () => {
    const schema = { type: 'object', properties: { a: { enum: [BIG, [BIG], keep('1e999')], default: BIG } } }
    expect(JSON.stringify(compileSchema(schema)({ a: 1 }))).not.toContain('\\u0000')
  })

  it('are not accepted as strings', () => {
    for (const schema of [
      { required: [BIG] },
      { dependentRequired: { a: [BIG] } },
      { properties: { a: { pattern: BIG } } },
    ])
      expect(compileSchema(schema)({ a: 'x' })).toBeUndefined()
  })
})
