import { describe, expect, it } from 'vitest'
import { objectToLookAlikes } from './look-alike-arguments.ts'

const file = { type: 'object', properties: { path: { type: 'string' } } }

describe('an argument that differs from one of the tool’s by case alone', () => {
  it.each<[string, object, unknown, string]>([
    ['at the top', file, { Path: 'x' }, 'Path'],
    ['beside the one that is meant', file, { path: 'a', PATH: 'b' }, 'PATH'],
    ['in an object', { properties: { from: file } }, { from: { Path: 'x' } }, 'from.Path'],
    ['in a list', { properties: { files: { items: file } } }, { files: [{}, { Path: 1 }] }, 'files[1].Path'],
    [
      'in a list of places',
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
    ['of one of several schemas', { allOf: [{ anyOf: [{}, file] }] }, { Path: 'x' }, 'Path'],
    [
      'in a condition',
      { if: false, else: { properties: { from: file } } },
      { from: { Path: 'x' } },
      'from.Path',
    ],
    ['of a member of any name', { additionalProperties: file }, { any: { Path: 'x' } }, 'any.Path'],
    ['of a member of such a name', { patternProperties: { '^f': file } }, { f1: { Path: 'x' } }, 'f1.Path'],
    [
      'in what holds itself',
      { properties: { name: {}, child: { $ref: '#' } } },
      { child: { child: { child: { NAME: 'x' } } } },
      'child.child.child.NAME',
    ],
  ])('is objected to %s', (_where, schema, args, field) => {
    expect(objectToLookAlikes(schema)(args)).toMatchObject({
      field,
      expected: expect.stringMatching(/^the spelling/),
    })
  })

  it.each<[string, object, unknown]>([
    ['as it is written', { properties: { from: file } }, { from: { path: 'x' } }],
    ['where the tool has both', { properties: { id: {}, ID: {} } }, { id: 1, ID: 2 }],
    [
      'where only another place has such a name',
      { properties: { path: {}, env: { type: 'object' } } },
      { path: 'x', env: { PATH: '/bin' } },
    ],
    ['where nothing is said', { type: 'object' }, { any: { thing: [1] } }],
    [
      'where the reference leads nowhere',
      { properties: { from: { $ref: '#/nowhere' } } },
      { from: { Path: 1 } },
    ],
    ['where there is no schema', [], { a: 1 }],
  ])('is fine %s', (_where, schema, args) => {
    expect(objectToLookAlikes(schema)(args)).toBeUndefined()
  })

  it('is looked for in time that grows with the arguments, whatever the schema', () => {
    const branches = Array.from({ length: 500 }, (_, at) => ({
      properties: { [`name${at}`]: { $ref: '#' }, next: { $ref: '#' } },
    }))
    let args: object = { NEXT: 1 }
    for (let depth = 0; depth < 90; depth++)
      args = { next: args, list: Array.from({ length: 100 }, () => ({ name1: {} })) }
    const found = objectToLookAlikes({
      anyOf: branches,
      items: { $ref: '#' },
      additionalProperties: { $ref: '#' },
    })(args)
    expect(found?.field).toMatch(/next\.NEXT$/)
  })
})
