import { describe, expect, it } from 'vitest'
import { compileSchema } from './compile-schema.ts'

const ELSEWHERE = { $ref: 'https://example.com/other.json' }
const LOOK_AHEAD = { pattern: '^(?!x)' }

function conditional(condition: unknown): unknown {
  return JSON.parse(`{"if":${JSON.stringify(condition)},"then":false,"else":false}`)
}

describe('an uncheckable schema', () => {
  it.each([
    ELSEWHERE,
    LOOK_AHEAD,
    { not: ELSEWHERE },
    { not: LOOK_AHEAD },
    { oneOf: [ELSEWHERE, { type: 'string' }] },
    { oneOf: [LOOK_AHEAD, { type: 'string' }] },
    { anyOf: [ELSEWHERE, { type: 'number' }] },
    { allOf: [{ not: { not: { not: ELSEWHERE } } }] },
    { not: { oneOf: [ELSEWHERE, { type: 'string' }] } },
    conditional(ELSEWHERE),
    conditional(LOOK_AHEAD),
  ])('gives UNKNOWN: %j', schema => {
    expect(compileSchema(schema)('some text')).toBeUndefined()
  })

  it.each([
    { contains: ELSEWHERE, minContains: 2 },
    { contains: ELSEWHERE, maxContains: 0 },
    { contains: ELSEWHERE, unevaluatedItems: false },
  ])('may match an item: %j', schema => {
    expect(compileSchema(schema)(['a', 'b'])).toBeUndefined()
  })

  it.each([
    { ...ELSEWHERE, unevaluatedProperties: false },
    { anyOf: [ELSEWHERE, { properties: { a: {} } }], unevaluatedProperties: false },
    { anyOf: [{ anyOf: [{ type: 'object' }, ELSEWHERE] }], unevaluatedProperties: false },
    { not: { patternProperties: { '^(?=b)': false } } },
    { patternProperties: { '^(?=b)': {} }, additionalProperties: false, properties: { a: {} } },
    { patternProperties: { '^(?=b)': {} }, unevaluatedProperties: false, properties: { a: {} } },
  ])('may have evaluated any field: %j', schema => {
    expect(compileSchema(schema)({ a: 1, b: 2 })).toBeUndefined()
  })

  it('does not affect other keywords', () => {
    const schema = { allOf: [ELSEWHERE, { required: ['a'] }], properties: { b: LOOK_AHEAD } }
    expect(compileSchema(schema)({ b: 'x' })?.expected).toBe('the field "a", which is missing')
    const either = { anyOf: [ELSEWHERE, { type: 'number' }], type: 'string' }
    expect(compileSchema(either)(true)?.expected).toBe('a string, not a boolean')
  })

  it('includes references in a document with embedded documents', () => {
    const inner = {
      $id: 'inner.json',
      $defs: { x: { type: 'string' } },
      properties: { a: { $ref: '#/$defs/x' } },
    }
    const schema = { $defs: { x: { type: 'number' }, inner }, properties: { a: { $ref: '#/$defs/x' } } }
    expect(compileSchema(schema)({ a: true })).toBeUndefined()
  })
})

describe('a keyword with an invalid value', () => {
  it.each([
    { required: true },
    { required: [7, null] },
    { type: 'any' },
    { type: [] },
    { type: ['float'] },
    { enum: [] },
    { enum: 'a' },
    { anyOf: [] },
    { not: { not: { anyOf: [] } } },
    { oneOf: {} },
    { oneOf: [] },
    { allOf: 'x' },
    { properties: [] },
    { properties: { a: null } },
    { patternProperties: { '(': {}, '(?=a)a': false }, additionalProperties: false },
    { pattern: '(' },
    { pattern: 7 },
    { minLength: '9' },
    { minimum: '7' },
    { multipleOf: 0 },
    { $ref: 7 },
    { $ref: '#/%E0%A4%A' },
    { $ref: '#/$defs/none' },
    { $ref: '#none' },
    { additionalProperties: null },
    { items: 'x' },
    { not: null },
    { dependentRequired: [] },
    { if: 'x' },
  ])('is ignored: %j', schema => {
    for (const args of [{ a: 1 }, 'a', 1, [1]]) expect(compileSchema(schema)(args)).toBeUndefined()
  })
})
