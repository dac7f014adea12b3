import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MODERN_VERSION } from './modern.ts'
import { parseJson, spellNumbers, writeJson } from './parse-json.ts'
import { parseRequest, writeRequest } from './usual-request.ts'

const DEPTH = 32
const MEMBERS = 100_000

const META = {
  'io.modelcontextprotocol/protocolVersion': MODERN_VERSION,
  'io.modelcontextprotocol/clientInfo': { name: 'a client', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
}

function parse(text: string): unknown {
  return parseRequest(text, DEPTH, MEMBERS)
}

/** Whatever is parsed in a shorter way is what it would be in the longer one. */
function expectSame(text: string): void {
  const [own, usual] = [parse(text), parseJson(text, DEPTH, MEMBERS)]
  expect(own).toEqual(usual)
  if (usual.ok) expect(spellNumbers((own as typeof usual).value)).toEqual(spellNumbers(usual.value))
}

function paramsOf(text: string): Record<string, unknown> {
  return (parse(text) as { value: { params: Record<string, unknown> } }).value.params
}

describe('the usual call', () => {
  const call = (id: number) => ({
    jsonrpc: '2.0',
    id,
    method: 'tools/call',
    params: { name: 'find', arguments: { query: `a, "_meta":{} and ${id}` }, _meta: META },
  })
  const sdkCall = (id: number) => {
    const { method, params } = call(id)
    return { method, params, jsonrpc: '2.0', id }
  }

  it('is parsed like any other, with the method first or the id first', () => {
    for (const message of [call(0), call(1), call(123_456), sdkCall(0), sdkCall(7), sdkCall(99)]) {
      expectSame(JSON.stringify(message))
      expect(parse(JSON.stringify(message))).toEqual({ ok: true, value: message })
    }
  })

  it('shares what a client says of itself with the others, and nobody can change that', () => {
    const { _meta: one } = paramsOf(JSON.stringify(call(1)))
    const { _meta: other } = paramsOf(JSON.stringify(sdkCall(2)))
    expect(other).toBe(one)
    const info = (one as typeof META)['io.modelcontextprotocol/clientInfo']
    expect(() => Object.assign(info, { name: 'somebody else' })).toThrow(TypeError)
  })

  it('is written like any other', () => {
    for (const message of [call(1), sdkCall(2)]) {
      const params = paramsOf(JSON.stringify(message))
      const text = writeRequest(5, 'tools/call', params)
      expect(text).toBe(writeJson({ jsonrpc: '2.0', id: 5, method: 'tools/call', params }))
      expect(writeRequest('x"', 'a"b', { ...params, gone: undefined, more: [1] })).toBe(
        writeJson({
          jsonrpc: '2.0',
          id: 'x"',
          method: 'a"b',
          params: { ...params, gone: undefined, more: [1] },
        }),
      )
    }
    expect(writeRequest(1, 'ping', undefined)).toBe('{"jsonrpc":"2.0","id":1,"method":"ping"}')
  })

  it('is written in our words, however often a key stands in what the client says of itself', () => {
    const params = paramsOf(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"a":1,"a":{"b":2}}}}',
    )
    expect(writeRequest(1, 'tools/call', params)).toBe(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"x","_meta":{"a":{"b":2}}}}',
    )
  })

  it('is not taken for that of somebody who writes half a character where this one has another', () => {
    const said = (letter: string) => JSON.stringify(call(1)).replace('a client', `${letter} client`)
    for (const letter of ['\ud800', '\ufffd', '\udc00', '\ud83d\ude00']) expectSame(said(letter))
  })

  const head = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":'
  it.each([
    ['is no object', `${head}[1,2]}`],
    ['has something behind it', `${head}{"name":"a"},"params":{"name":"b","_meta":{"x":1}}}`],
    ['is there twice', `${head}{"name":"a","_meta":{"x":1}},"params":{"name":"b"}}`],
    ['has an odd end', `${head}{"name":"a","_meta":{"x":1}}}}`],
    ['has no end', `${head}{"name":"a","_meta":{"x":1}}`],
    ['is empty but for a comma', `${head}{,"_meta":{"x":1}}}`],
    ['is empty but for blanks and a comma', `${head}{ ,"_meta":{"x":1}}}`],
    ['has a comma too many', `${head}{"name":"a",,"_meta":{"x":1}}}`],
    ['says twice who calls', `${head}{"_meta":{"x":2},"name":"a","_meta":{"x":1}}}`],
    ['has another `_meta` in its arguments', `${head}{"name":"a","arguments":{"q":1,"_meta":{"x":1}}}}`],
    ['has one in a text', `${head}{"name":"a","arguments":{"q":",\\"_meta\\":{"}}}`],
    ['has a text that ends like it', `${head}{"name":"a\\",\\"_meta\\":{\\"x\\":1}"}}`],
    ['has a list around it', `${head}{"name":"a","arguments":[1,"_meta":{"x":1}]}}`],
    ['has a `_meta` that is no object', `${head}{"name":"a","_meta":1}}`],
    ['has a deep `_meta`', `${head}{"name":"a","_meta":${'{"x":'.repeat(12)}1${'}'.repeat(12)}}}`],
    ['has a large number in it', `${head}{"name":"a","_meta":{"x":12345678901234567890}}}`],
    ['has large numbers beside it', `${head}{"n":12345678901234567890,"_meta":{"y":1}}}`],
    ['sets a prototype', `${head}{"__proto__":{"a":1},"name":"a","_meta":{"__proto__":{"b":1}}}}`],
    ['has an id with a nought before it', `{"jsonrpc":"2.0","id":01,"method":"tools/call","params":{"a":1}}`],
    ['has a long id', `{"jsonrpc":"2.0","id":1234567890123456,"method":"tools/call","params":{"a":1}}`],
    ['has no id', `{"jsonrpc":"2.0","id":,"method":"tools/call","params":{"a":1}}`],
    ['has an id that is a text', `{"method":"tools/call","params":{"a":1},"jsonrpc":"2.0","id":"1"}`],
    [
      'ends with its id twice',
      `{"method":"tools/call","params":{"a":1},"jsonrpc":"2.0","id":1,"jsonrpc":"2.0","id":2}`,
    ],
    [
      'is another one behind the id',
      `{"method":"tools/call","params":{"a":1},"params":{"b":1},"jsonrpc":"2.0","id":2}`,
    ],
    ['is too deep', `${head}${'{"a":'.repeat(31)}{}${'}'.repeat(31)}}`],
    ['is just not too deep', `${head}${'{"a":'.repeat(30)}{}${'}'.repeat(30)}}`],
  ])('is parsed like any other where it %s', (_what, text) => {
    expectSame(text)
    expectSame(text)
  })

  it('is parsed like any other, whatever it is made of', () => {
    const pieces = [
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":',
      '{"method":"tools/call","params":',
      ',"jsonrpc":"2.0","id":2}',
      ',"_meta":',
      '{"x":1}',
      ...[
        '{',
        '}',
        '[',
        ']',
        ',',
        ':',
        '"',
        '\\',
        ' ',
        '1',
        '"name":"a"',
        '"params":',
        '"id":',
        'null',
        '\\u0000',
      ],
    ]
    const text = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map(parts => parts.join(''))
    const near = fc
      .tuple(
        fc.constantFrom(call(1), sdkCall(2)),
        fc.array(fc.tuple(fc.nat(400), fc.constantFrom('', ...pieces)), { maxLength: 3 }),
      )
      .map(([message, edits]) =>
        edits.reduce(
          (whole, [at, piece]) => whole.slice(0, at) + piece + whole.slice(at + (piece === '' ? 1 : 0)),
          JSON.stringify(message),
        ),
      )
    fc.assert(fc.property(fc.oneof(text, near), expectSame), { numRuns: 5000 })
  })

  it('is the same in any words', () => {
    const params = fc.dictionary(fc.string(), fc.jsonValue(), { minKeys: 1 })
    const meta = fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 3 }))
    fc.assert(
      fc.property(params, meta, fc.nat(), (own, _meta, id) => {
        const message = { jsonrpc: '2.0', id, method: 'tools/call', params: { ...own, _meta } }
        expectSame(JSON.stringify(message))
        const read = paramsOf(JSON.stringify(message))
        expect(writeRequest(id, 'tools/call', read)).toBe(
          writeJson({ jsonrpc: '2.0', id, method: 'tools/call', params: read }),
        )
      }),
      { numRuns: 500 },
    )
  })
})
