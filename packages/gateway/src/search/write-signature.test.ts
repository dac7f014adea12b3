import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { writeSignature } from './write-signature.ts'

const sign = (properties: object, rest: object = {}): string => writeSignature('t', { properties, ...rest })

describe('a signature', () => {
  it('lists required parameters first and marks optional ones', () => {
    const properties = { limit: { type: 'integer' }, path: { type: 'string' } }
    expect(sign(properties, { required: ['path'] })).toBe('t(path: string, limit?: integer)')
  })

  it.each<[string, object, string]>([
    ['choices', { enum: ['a', 'b', 3] }, '"a"|"b"|3'],
    ['a constant', { const: 'x' }, '"x"'],
    ['lists', { type: 'array', items: { type: 'string' } }, 'string[]'],
    [
      'lists of alternatives',
      { items: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      '(string|null)[]',
    ],
    ['several types', { type: ['string', 'null'] }, 'string|null'],
    ['objects', { properties: { a: { type: 'number' } }, required: ['a'] }, '{a: number}'],
    ['definitions', { $ref: '#/$defs/P' }, '{q?: string}'],
    ['missing definitions', { $ref: '#/$defs/Nope' }, 'Nope'],
    ['nothing', {}, 'any'],
  ])('shows %s', (_what, schema, expected) => {
    const $defs = { P: { properties: { q: { type: 'string' } } } }
    expect(sign({ p: schema }, { $defs, required: ['p'] })).toBe(`t(p: ${expected})`)
  })

  it('shows recursion once', () => {
    const $defs = { N: { properties: { next: { $ref: '#/$defs/N' } } } }
    expect(sign({ n: { $ref: '#/$defs/N' } }, { $defs })).toBe('t(n?: {next?: N})')
  })

  it('quotes names that could be misread', () => {
    expect(sign({ 'a: string)': {} })).toBe('t("a: string)"?: any)')
  })

  it('stays short and on one line for any schema', () => {
    fc.assert(
      fc.property(fc.jsonValue(), schema => {
        const text = writeSignature('t', { properties: { a: schema, b: { anyOf: [schema, schema] } } })
        expect(text.length).toBeLessThanOrEqual(400)
        expect(text).not.toMatch(/[\r\n]/)
      }),
    )
    const wide = (depth: number): object =>
      depth === 0 ? {} : { anyOf: Array.from({ length: 8 }, () => wide(depth - 1)) }
    expect(sign({ a: wide(6) }).length).toBeLessThanOrEqual(400)
  })
})
