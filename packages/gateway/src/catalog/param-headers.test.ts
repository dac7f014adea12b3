import { describe, expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import { findParamHeaders, hasValidParamHeaders, writeParamHeaders } from './param-headers.ts'

const region = { type: 'string', 'x-mcp-header': 'Region' }
const schema = {
  type: 'object',
  properties: {
    region,
    where: { type: 'object', properties: { zone: { type: 'integer', 'x-mcp-header': 'Zone' } } },
  },
}

describe('arguments that are also sent in headers', () => {
  it('are found in nested properties', () => {
    expect(findParamHeaders(schema)).toEqual([
      { name: 'Region', path: ['region'] },
      { name: 'Zone', path: ['where', 'zone'] },
    ])
    expect(findParamHeaders('nonsense')).toEqual([])
  })

  it('are written if present and valid in a header', () => {
    const write = (args: unknown) => writeParamHeaders(findParamHeaders(schema), args)
    expect(write({ region: 'zürich', where: { zone: 3 } })).toEqual({
      'mcp-param-region': '=?base64?esO8cmljaA==?=',
      'mcp-param-zone': '3',
    })
    expect(write({ region: null, where: { zone: 2 ** 60 } })).toEqual({})
    expect(write(undefined)).toEqual({})
    const parsed = parseJson('{"where":{"zone":12345678901234567890}}', 10)
    expect(write(parsed.ok ? parsed.value : {})).toEqual({ 'mcp-param-zone': '12345678901234567890' })
  })

  it.each([
    ['a list item', { properties: { a: { type: 'array', items: region } } }],
    ['one of several schemas', { oneOf: [{ properties: { a: region } }] }],
    ['a definition', { $defs: { a: { properties: { a: region } } } }],
    ['a number', { properties: { a: { type: 'number', 'x-mcp-header': 'A' } } }],
    ['an invalid type', { properties: { a: { type: { toString: 0 }, 'x-mcp-header': 'A' } } }],
    ['an invalid name', { properties: { a: { type: 'string', 'x-mcp-header': 'A B' } } }],
    ['one name twice', { properties: { a: region, b: { ...region, 'x-mcp-header': 'REGION' } } }],
  ])('make a tool invalid if they are %s', (_what, bad) => {
    expect(hasValidParamHeaders(bad)).toBe(false)
  })

  it('are valid where the specification allows them', () => {
    expect(hasValidParamHeaders(schema)).toBe(true)
    expect(hasValidParamHeaders({ properties: { 'x-mcp-header': { type: 'string' } } })).toBe(true)
    expect(hasValidParamHeaders({ default: { 'x-mcp-header': 1 } })).toBe(true)
  })
})
