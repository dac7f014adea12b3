import { describe, expect, it } from 'vitest'
import { hideArguments } from './hide-arguments.ts'

describe('hideArguments()', () => {
  it('removes a member from every place where the schema names it', () => {
    const schema = {
      type: 'object',
      properties: { key: { $ref: '#/$defs/Key' }, text: { type: 'string' } },
      required: ['key'],
      dependentRequired: { key: ['text'], text: ['key', 'other'] },
      allOf: [{ properties: { key: {} }, required: ['key', 'text'] }],
      if: { properties: { key: { const: 1 } } },
      examples: [{ key: 1 }],
      default: { text: 'x' },
      $defs: { Key: { $ref: '#/$defs/Inner' }, Inner: { type: 'string' } },
    }
    expect(hideArguments(schema, ['key'])).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      dependentRequired: { text: ['other'] },
      allOf: [{ properties: {}, required: ['text'] }],
      if: { properties: {} },
      default: { text: 'x' },
    })
  })

  it('keeps definitions that are still used, and members of other objects', () => {
    const schema = {
      properties: { key: {}, to: { $ref: '#/$defs/Address' } },
      $defs: { Address: { properties: { key: { type: 'string' } }, required: ['key'] } },
    }
    expect(hideArguments(schema, ['key'])).toEqual({
      properties: { to: { $ref: '#/$defs/Address' } },
      $defs: schema.$defs,
    })
  })

  it('does not change the schema that it is given', () => {
    const schema = { properties: { a: {} }, required: ['a'] }
    hideArguments(schema, ['a'])
    expect(schema).toEqual({ properties: { a: {} }, required: ['a'] })
  })
})
