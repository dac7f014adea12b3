import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import { cutJson } from './cut-json.ts'

describe('cutJson()', () => {
  it('returns the whole value if it fits', () => {
    const schema = {
      type: 'object',
      properties: { a: { type: 'string', description: 'x' } },
      required: ['a'],
      default: [null, 0, false],
    }
    expect(cutJson(schema, 1_000)).toEqual(schema)
  })

  it('drops descriptions first, but not a field with such a name', () => {
    const a = { type: 'string', description: 'd'.repeat(150) }
    const schema = { title: 'T'.repeat(150), properties: { title: a, b: a } }
    expect(cutJson(schema, 200)).toEqual({ properties: { title: { type: 'string' }, b: { type: 'string' } } })
  })

  it('drops nested values next and keeps the names', () => {
    const deep = { type: 'object', properties: { x: { enum: ['a'.repeat(100), 'b'.repeat(100)] } } }
    const schema = { properties: { one: deep, two: deep } }
    expect(cutJson(schema, 150)).toEqual({
      properties: {
        one: { type: 'object', properties: { x: { '…': '…' } } },
        two: { type: 'object', properties: { x: { '…': '…' } } },
      },
    })
  })

  it('marks where it was cut', () => {
    expect(cutJson({ enum: Array.from({ length: 1_000 }, (_, at) => at) }, 60)).toEqual({
      enum: [0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, '…'],
    })
    expect(cutJson('x'.repeat(300), 1_000)).toBe(`${'x'.repeat(200)}…`)
    expect(cutJson({ ['k'.repeat(100)]: 1 }, 1_000)).toEqual({ [`${'k'.repeat(64)}…`]: 1 })
  })

  it('keeps __proto__ as a key', () => {
    const value = JSON.parse('{"__proto__":{"a":1}}')
    expect(JSON.stringify(cutJson(value, 100))).toBe('{"__proto__":{"a":1}}')
  })

  it('shows exact numbers as numbers', () => {
    const parsed = parseJson('[9007199254740993, 1e999, "12"]', 2)
    expect(parsed.ok && cutJson(parsed.value, 100)).toEqual([9007199254740992, '1e999', '12'])
  })

  it('never exceeds the limit by much', () => {
    const wild = fc.oneof(
      fc.jsonValue({ maxDepth: 6 }),
      fc.array(fc.string({ unit: 'binary', maxLength: 400 }), { maxLength: 50 }),
      fc.dictionary(fc.string({ maxLength: 100 }), fc.jsonValue(), { maxKeys: 60 }),
    )
    fc.assert(
      fc.property(wild, value => {
        expect(JSON.stringify(cutJson(value, 300)).length).toBeLessThan(2_000)
      }),
    )
  })
})
