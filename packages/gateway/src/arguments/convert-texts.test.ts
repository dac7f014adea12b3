import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactDigits, writeJson } from '../protocol/parse-json.ts'
import { compileSchema } from './compile-schema.ts'
import { compileConversion } from './convert-texts.ts'

const convert = (type: unknown, value: unknown): unknown =>
  (
    compileConversion({ properties: { x: typeof type === 'string' ? { type } : type } })({ x: value })
      .args as { x: unknown }
  ).x

describe('a text where the schema requires a number or a boolean', () => {
  it.each([
    ['number', '100', 100],
    ['integer', '100', 100],
    ['integer', '-7', -7],
    ['number', '-2.5', -2.5],
    ['number', '0', 0],
    ['number', '0.05', 0.05],
    ['boolean', 'true', true],
    ['boolean', 'false', false],
  ])('becomes that value: %s %j', (type, text, value) => {
    expect(convert(type, text)).toBe(value)
  })

  it.each([
    ['number', ''],
    ['number', ' 100'],
    ['number', '100 '],
    ['number', '1e5'],
    ['number', '0x10'],
    ['number', '010'],
    ['number', '+1'],
    ['number', '-0'],
    ['number', '1.50'],
    ['number', '.5'],
    ['number', '1,000'],
    ['number', 'NaN'],
    ['number', 'Infinity'],
    ['number', 'true'],
    ['number', '１００'],
    ['integer', '2.5'],
    ['boolean', 'True'],
    ['boolean', '1'],
    ['boolean', 'yes'],
    ['null', 'null'],
    ['string', '100'],
    ['number', '1'.repeat(61)],
  ])('stays a text if it is not written as JSON writes it: %s %j', (type, text) => {
    expect(convert(type, text)).toBe(text)
  })

  it('keeps every digit of a number that a double would round', () => {
    const digits = '12345678901234567890'
    const { args } = compileConversion({ properties: { x: { type: 'integer' } } })({ x: digits })
    expect(exactDigits((args as { x: unknown }).x)).toBe(digits)
    expect(writeJson(args)).toBe(`{"x":${digits}}`)
  })

  it('is found in lists, nested objects, references and optional values', () => {
    const schema = {
      properties: {
        rows: { type: 'array', items: { $ref: '#/$defs/row' } },
        limit: { anyOf: [{ type: 'integer' }, { type: 'null' }] },
        filter: { anyOf: [{ $ref: '#/$defs/row' }, { type: 'null' }] },
        whole: { allOf: [{ $ref: '#/$defs/row' }], default: null },
        kinds: { type: ['number', 'null'] },
      },
      additionalProperties: { type: 'boolean' },
      $defs: { row: { type: 'object', properties: { price: { type: 'number' }, name: { type: 'string' } } } },
    }
    const row = { price: '1.5', name: '7' }
    const given = { rows: [row, row], limit: '5', filter: row, whole: row, kinds: '3', other: 'true' }
    const { args, paths } = compileConversion(schema)(given)
    const converted = { price: 1.5, name: '7' }
    expect(args).toEqual({
      rows: [converted, converted],
      limit: 5,
      filter: converted,
      whole: converted,
      kinds: 3,
      other: true,
    })
    expect(paths).toEqual([
      'rows[0].price',
      'rows[1].price',
      'limit',
      'filter.price',
      'whole.price',
      'kinds',
      'other',
    ])
    expect(given.rows[0]).toBe(row)
    expect(row.price).toBe('1.5')
  })

  it.each([
    [{ type: ['string', 'number'] }],
    [{ anyOf: [{ type: 'number' }, { type: 'string' }] }],
    [{ oneOf: [{ type: 'number' }, {}] }],
    [{ minimum: 5 }],
    [{ enum: [1, 2] }],
    [{ type: 'decimal' }],
    [{ $ref: 'https://example.com/other' }],
    [{ $ref: '#/properties/x' }],
    [{ anyOf: [] }],
    [true],
    [{}],
  ])('stays a text if the schema might allow one: %j', schema => {
    expect(convert(schema, '100')).toBe('100')
  })

  it('stays a text in arguments without a schema, and under names that every object has', () => {
    expect(compileConversion(undefined)({ x: '1' })).toEqual({ args: { x: '1' }, paths: [] })
    const args = JSON.parse('{"__proto__":"1","toString":"1"}') as object
    const { args: same, paths } = compileConversion({ properties: { y: { type: 'number' } } })(args)
    expect(same).toBe(args)
    expect(paths).toEqual([])
  })

  it('is looked for within a limit, however large or nested the schema is', () => {
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, at) => [
        `d${at}`,
        at === 0
          ? { type: 'number' }
          : { anyOf: [{ $ref: `#/$defs/d${at - 1}` }, { $ref: `#/$defs/d${at - 1}` }] },
      ]),
    )
    expect(convert({ $ref: '#/$defs/d39', $defs }, '5')).toBe('5')
    const doubling = compileConversion({ $defs, properties: { x: { $ref: '#/$defs/d39' } } })
    expect(doubling({ x: '5' }).paths).toEqual([])
  })
})

const scalar = fc.constantFrom<object>(
  { type: 'number' },
  { type: 'integer' },
  { type: 'boolean' },
  { type: 'string' },
  { type: ['number', 'string'] },
  { anyOf: [{ type: 'integer' }, { type: 'null' }] },
  { oneOf: [{ type: 'string' }, { type: 'number' }] },
  { anyOf: [{ type: 'number', minimum: 5 }, { const: '7' }] },
  { not: { type: 'number' } },
  { type: 'number', $ref: '#/$defs/text' },
  {},
)
const node = fc.letrec<{ node: object }>(tie => ({
  node: fc.oneof(
    { maxDepth: 3 },
    scalar,
    fc.record({ type: fc.constant('array'), items: tie('node') }),
    fc.record({ allOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ anyOf: fc.array(tie('node'), { minLength: 1, maxLength: 2 }) }),
    fc.record({ properties: fc.dictionary(fc.constantFrom('a', 'b'), tie('node'), { maxKeys: 2 }) }),
    fc.record({ additionalProperties: tie('node') }),
    fc.record({ patternProperties: fc.record({ '^a': tie('node') }), additionalProperties: tie('node') }),
  ),
})).node
const text = fc.constantFrom('7', '100', 'true', '-2.5', 'x', '007')
const value = fc.letrec<{ value: unknown }>(tie => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.integer(),
    fc.boolean(),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom('a', 'b', 'c'), tie('value'), { maxKeys: 3 }),
  ),
})).value

it('arguments that match their schema never change', () => {
  const $defs = { text: { type: 'string' } }
  fc.assert(
    fc.property(
      fc.dictionary(fc.constantFrom('a', 'b'), node),
      fc.dictionary(fc.constantFrom('a', 'b', 'c'), value),
      (properties, args) => {
        const schema = { $schema: 'http://json-schema.org/draft-07/schema#', properties, $defs }
        fc.pre(compileSchema(schema)(args) === undefined)
        expect(compileConversion(schema)(args)).toEqual({ args, paths: [] })
      },
    ),
    { numRuns: 3000 },
  )
})
