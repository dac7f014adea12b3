import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readParameters } from './weigh-document.ts'

describe('reading the parameters of a schema', () => {
  it('finds names, descriptions and enum values, the outermost first', () => {
    const schema = {
      type: 'object',
      description: 'not a parameter',
      properties: {
        path: { type: 'string', description: 'Where to read' },
        options: { type: 'object', properties: { encoding: { enum: ['utf8', 'latin1', 7] } } },
      },
    }
    expect(readParameters(schema)).toEqual({
      names: 'path options encoding ',
      descriptions: 'Where to read utf8 latin1 ',
    })
  })

  it('includes items, alternatives and definitions', () => {
    const schema = {
      properties: { list: { type: 'array', items: { properties: { inItems: {} } } } },
      oneOf: [{ properties: { inOneOf: {} } }],
      $defs: { Shared: { properties: { inDefs: {} } } },
    }
    for (const name of ['inItems', 'inOneOf', 'inDefs']) expect(readParameters(schema).names).toContain(name)
  })

  it('ends on a schema that contains itself', () => {
    const schema: Record<string, unknown> = { properties: {} }
    schema.properties = { again: schema, more: { items: schema } }
    expect(readParameters(schema).names.length).toBeLessThanOrEqual(2_100)
  })

  it('ends on a deep and on a wide schema, with limited text', () => {
    let deep: object = { description: 'x'.repeat(1_000_000) }
    for (let at = 0; at < 20_000; at += 1) deep = { properties: { [`level${at}`]: deep } }
    const wide = { properties: Object.fromEntries(Array.from({ length: 50_000 }, (_, at) => [`p${at}`, {}])) }
    for (const schema of [deep, wide, { allOf: [deep, wide] }]) {
      const { names, descriptions } = readParameters(schema)
      expect(names.length + descriptions.length).toBeLessThan(6_100)
    }
  })

  it('does not throw on any JSON value', () => {
    fc.assert(fc.property(fc.jsonValue(), value => readParameters(value).names.length >= 0))
    fc.assert(
      fc.property(
        fc.jsonValue(),
        value => readParameters({ properties: { a: value }, anyOf: value }) !== undefined,
      ),
    )
  })
})
