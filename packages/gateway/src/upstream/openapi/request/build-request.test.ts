import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Json } from '../../../protocol/messages.ts'
import { parseJson } from '../../../protocol/parse-json.ts'
import { readOperations } from '../document/read-operations.ts'
import { buildRequest } from './build-request.ts'
import { UnusableArgument } from './serialise.ts'

const BASE = new URL('https://api.example/v1/')

function operation(path: string, written: Json, method = 'get', baseUrl = BASE) {
  const options = { include: [], exclude: [], ownHeaders: new Set<string>(), baseUrl }
  const read = readOperations({ paths: { [path]: { [method]: written } } }, options)
  const [found] = read.operations
  if (found === undefined) throw new Error(read.leftOut[0]?.reason)
  return found
}

const parameter = (place: string, more: Json = {}): Json => ({
  parameters: [{ name: 'p', in: place, required: true, schema: {}, ...more }],
})
const LIST = ['a', 'b&c']
const OBJECT = { x: 1, y: 'é' }

describe('a parameter', () => {
  it.each([
    ['path', {}, 'a b', '/v1/r/a%20b'],
    ['path', {}, LIST, '/v1/r/a,b%26c'],
    ['path', { explode: true }, OBJECT, '/v1/r/x=1,y=%C3%A9'],
    ['path', {}, OBJECT, '/v1/r/x,1,y,%C3%A9'],
    ['path', { style: 'label' }, LIST, '/v1/r/.a,b%26c'],
    ['path', { style: 'label', explode: true }, LIST, '/v1/r/.a.b%26c'],
    ['path', { style: 'matrix' }, LIST, '/v1/r/;p=a,b%26c'],
    ['path', { style: 'matrix', explode: true }, LIST, '/v1/r/;p=a;p=b%26c'],
    ['path', { style: 'matrix', explode: true }, OBJECT, '/v1/r/;x=1;y=%C3%A9'],
    ['path', { 'x-multi-segment': true }, 'src/main.ts', '/v1/r/src/main.ts'],
    ['query', {}, LIST, '/v1/r?p=a&p=b%26c'],
    ['query', { explode: false }, LIST, '/v1/r?p=a,b%26c'],
    ['query', { style: 'spaceDelimited', explode: false }, LIST, '/v1/r?p=a%20b%26c'],
    ['query', { style: 'pipeDelimited', explode: false }, LIST, '/v1/r?p=a%7Cb%26c'],
    [
      'query',
      { style: 'deepObject' },
      { a: { b: [1, 2] } },
      '/v1/r?p%5Ba%5D%5Bb%5D%5B%5D=1&p%5Ba%5D%5Bb%5D%5B%5D=2',
    ],
    ['query', {}, OBJECT, '/v1/r?x=1&y=%C3%A9'],
    ['query', { explode: false }, OBJECT, '/v1/r?p=x,1,y,%C3%A9'],
    ['query', { allowReserved: true }, 'a/b:c#d&e', '/v1/r?p=a/b:c%23d%26e'],
    ['query', { content: { 'application/json': {} } }, { a: 1 }, '/v1/r?p=%7B%22a%22%3A1%7D'],
    ['query', {}, [], '/v1/r'],
    ['query', {}, 0, '/v1/r?p=0'],
  ])('in the %s %j: %j becomes %s', (place, more, value, target) => {
    const path = place === 'path' ? '/r/{p}' : '/r'
    expect(buildRequest(operation(path, parameter(place, more)), BASE, { p: value }).target).toBe(target)
  })

  it('keeps all digits of a number', () => {
    const parsed = parseJson('{"p":12345678901234567890}', 9)
    const args = (parsed.ok ? parsed.value : {}) as Json
    expect(buildRequest(operation('/r/{p}', parameter('path')), BASE, args).target).toBe(
      '/v1/r/12345678901234567890',
    )
  })

  it('goes into a header or a cookie as one value', () => {
    const header = buildRequest(operation('/r', parameter('header')), BASE, { p: ['a', 'b'] })
    expect(header.headers.p).toBe('a,b')
    const cookie = buildRequest(operation('/r', parameter('cookie')), BASE, { p: 'a; admin=1' })
    expect(cookie.headers.cookie).toBe('p=a%3B%20admin%3D1')
  })
})

describe('an argument never leaves its place', () => {
  it.each([
    '',
    '.',
    '..',
    '../x',
    'a/b',
    'a/../b',
    '%2e%2e',
    '..%2fx',
    'a%2Fb',
    'a\\b',
    '\\',
    'a\nb',
    '\u0000',
    '%00',
    '..;',
    '..;x=1',
    '%2e.%3Bx',
    '.;',
    ';x',
  ])('in a path: %j is refused', value => {
    expect(() => buildRequest(operation('/r/{p}', parameter('path')), BASE, { p: value })).toThrow(
      UnusableArgument,
    )
  })

  it.each(['..', 'a/../b', 'a//b', '/a', 'a/', './a', 'a/%2e%2e/b', 'a/..;x/b', 'a/;x/b'])(
    'in a long path: %j is refused',
    value => {
      const long = operation('/r/{p}', parameter('path', { 'x-multi-segment': true }))
      expect(() => buildRequest(long, BASE, { p: value })).toThrow(UnusableArgument)
    },
  )

  it.each(['a\r\nHost: evil', 'a\nb', '\u0000', '\u0100'])('in a header: %j is refused', value => {
    expect(() => buildRequest(operation('/r', parameter('header')), BASE, { p: value })).toThrow(
      UnusableArgument,
    )
  })

  it.each(['_method', '_METHOD', '.method', '[method', 'fixed', 'Fixed', 'fixed[]', 'q', 'q[0]'])(
    'as the member %j of an object in the query that is another one',
    member => {
      const base = new URL('https://api.example/v1?fixed=1')
      const parameters = ['p', 'q'].map(name => ({ name, in: 'query', schema: {} }))
      const one = operation('/r', { parameters }, 'post', base)
      expect(buildRequest(one, base, { p: { x: 1, p: 2 } }).target).toBe('/v1/r?fixed=1&x=1&p=2')
      expect(() => buildRequest(one, base, { p: { [member]: 'DELETE' } })).toThrow(/means something else/)
    },
  )

  it('as a parameter of the query that the config or the method has', () => {
    const base = new URL('https://api.example/v1?fixed=1')
    const parameters = ['_method', 'fixed', 'q'].map(name => ({ name, in: 'query', schema: {} }))
    const one = operation('/r', { parameters }, 'post', base)
    expect(buildRequest(one, base, { _method: 'DELETE', fixed: 2, q: 3 }).target).toBe('/v1/r?fixed=1&q=3')
  })

  it.each(['application/json', 'application/x-www-form-urlencoded', 'multipart/form-data'])(
    'in a body of type %s as another method',
    type => {
      const one = operation('/r', { requestBody: { content: { [type]: { schema: {} } } } }, 'post')
      expect(() => buildRequest(one, BASE, { body: { _method: 'DELETE' } })).toThrow(/change the method/)
    },
  )

  it('whatever the value, and the origin and path stay the same', () => {
    const path = operation('/r/{p}/end', parameter('path'))
    const search = operation('/r', parameter('query', { allowReserved: true }))
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' }), fc.jsonValue()), value => {
        for (const [one, pattern] of [
          [path, /^\/v1\/r\/[^/?#\\\s]+\/end$/],
          [search, /^\/v1\/r(?:\?[^#\s]*)?$/],
        ] as const) {
          try {
            const { target } = buildRequest(one, BASE, { p: value })
            expect(target).toMatch(pattern)
            const read = new URL(target, BASE)
            expect(read.origin).toBe(BASE.origin)
            expect(read.pathname).toMatch(/^\/v1\/r(?:\/[^/]+\/end)?$/)
          } catch (error) {
            if (!(error instanceof UnusableArgument)) throw error
          }
        }
      }),
      { numRuns: 500 },
    )
  })
})

describe('a body', () => {
  const of = (type: string, schema: Json = {}, encoding: Json = {}) =>
    operation('/r', { requestBody: { content: { [type]: { schema, encoding } } } }, 'post')

  it.each([
    ['application/json', { a: [1] }, '{"a":[1]}'],
    ['application/merge-patch+json; charset=utf-8', null, 'null'],
    ['application/x-www-form-urlencoded', { a: 'x y', b: [1, 2] }, 'a=x+y&b=1&b=2'],
    ['text/csv', 'a,b', 'a,b'],
    ['application/xml', '<a/>', '<a/>'],
    ['application/octet-stream', 'AAH/', Buffer.from([0, 1, 255])],
  ])('of type %s', (type, value, bytes) => {
    const { body, headers } = buildRequest(of(type), BASE, { body: value })
    expect(body).toEqual(bytes)
    expect(headers['content-type']).toBe(type)
  })

  it('with files is a form whose boundary no argument can contain', () => {
    const schema = {
      properties: {
        photo: { type: 'string', format: 'binary' },
        more: { type: 'array', items: { type: 'string', format: 'binary' } },
        note: { type: 'string' },
        meta: { type: 'object' },
      },
    }
    const { body, headers } = buildRequest(of('multipart/form-data', schema), BASE, {
      body: {
        photo: { base64: 'AAH/', filename: 'a"\r\nx: y.png', mediaType: 'image/png' },
        more: [{ base64: 'aGk=' }],
        note: 'hello',
        meta: { a: 1 },
      },
    })
    const [, boundary = ''] = /boundary=(.+)$/.exec(headers['content-type'] ?? '') ?? []
    const parts = (body as Buffer).toString('latin1').split(`--${boundary}`)
    expect(parts).toHaveLength(6)
    expect(parts[1]).toContain(
      'name="photo"; filename="a%22%0D%0Ax: y.png"\r\ncontent-type: image/png\r\n\r\n\x00\x01\xff\r\n',
    )
    expect(parts[2]).toContain(
      'name="more"; filename="more"\r\ncontent-type: application/octet-stream\r\n\r\nhi\r\n',
    )
    expect(parts[3]).toContain('name="note"\r\n\r\nhello\r\n')
    expect(parts[4]).toContain('content-type: application/json\r\n\r\n{"a":1}\r\n')
  })

  it('that is not base64 is refused', () => {
    expect(() => buildRequest(of('application/pdf'), BASE, { body: 'not base64!' })).toThrow(
      'must be bytes in base64',
    )
  })

  it('is empty if there is none', () => {
    expect(buildRequest(of('application/json'), BASE, {}).body).toBe('')
    expect(buildRequest(operation('/r', {}), BASE, {}).body).toBeUndefined()
  })
})
