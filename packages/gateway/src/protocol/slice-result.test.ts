import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sliceResult } from './json-text.ts'

describe('sliceResult()', () => {
  it('returns the server’s text in every position', () => {
    expect(sliceResult('{"jsonrpc":"2.0","id":1,"result":{"a":[1, 2],"b":"x"}}')).toBe('{"a":[1, 2],"b":"x"}')
    expect(sliceResult('{"result": {"a":{}} ,"id":1}')).toBe(' {"a":{}} ')
    expect(sliceResult('{ "id" : 1 , "result" : { "big" : 12345678901234567890 } }')).toBe(
      ' { "big" : 12345678901234567890 } ',
    )
  })

  it.each([
    ['a key twice', '{"id":1,"result":{"a":1,"a":2}}'],
    ['a key twice, deep inside', '{"id":1,"result":{"l":[{"x":{"a":1,"b":2,"a":3}}]}}'],
    ['two results', '{"result":{"a":1},"id":1,"result":{"b":2}}'],
    ['a key that is also written with an escape', '{"id":1,"result":{"a":1,"\\u0061":2}}'],
    ['a line break', '{"id":1,"result":{\n"a":1}}'],
    ['no result', '{"id":1,"error":{"code":1}}'],
    ['a list', '[{"result":{}}]'],
    ['too much depth', `{"result":${'['.repeat(200)}${']'.repeat(200)}}`],
  ])('returns undefined with %s', (_what, text) => {
    expect(sliceResult(text)).toBeUndefined()
  })

  it('returns text that equals the parsed value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), fc.constantFrom(0, 1, '\t'), (result, other, space) => {
        const texts = [
          { id: 1, result, other },
          { result, id: 1 },
          { other, id: 'x', result },
        ]
        for (const text of texts.map(value => JSON.stringify(value, null, space))) {
          const sliced = sliceResult(text)
          if (sliced !== undefined) expect(JSON.parse(sliced)).toEqual(JSON.parse(JSON.stringify(result)))
        }
      }),
      { numRuns: 500 },
    )
  })

  it('returns text for every ordinary value', () => {
    const key = fc.string({ unit: 'grapheme-ascii' }).filter(text => !/["\\]/.test(text))
    fc.assert(
      fc.property(fc.dictionary(key, fc.oneof(fc.string(), fc.integer(), fc.array(fc.boolean()))), result => {
        expect(sliceResult(JSON.stringify({ jsonrpc: '2.0', id: 1, result }))).toBe(JSON.stringify(result))
      }),
    )
  })
})
