import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { listDefinitions, TOOLS } from '../../catalog/list-definitions.ts'
import type { ServerConfig } from '../../config/config.ts'
import type { Json } from '../../protocol/messages.ts'
import { reach } from '../test-support/reach.ts'
import { SmallApi, sendJson } from '../test-support/small-api.ts'
import type { UpstreamServer } from '../upstream-server.ts'

let api: SmallApi
let open: UpstreamServer[] = []
beforeEach(async () => {
  api = await new SmallApi().start()
})
afterEach(async () => {
  await Promise.all(open.map(server => server.stop()))
  open = []
  await api.stop()
})

const GET_A = { '/a': { get: { operationId: 'get_a' } } }

function connect(
  transport: ServerConfig['transport'],
  settings: Partial<ServerConfig> = {},
  limits = {},
): UpstreamServer {
  const server = reach(transport, settings, limits)
  open.push(server)
  return server
}

interface Calling {
  readonly credential?: string
  readonly mayRepeat?: boolean
  readonly timeoutMs?: number
}

/** Calls a tool, and returns the result, or the kind of failure with its detail. */
async function call(
  server: UpstreamServer,
  name: string,
  args: Json = {},
  calling: Calling = {},
): Promise<Json> {
  const { credential, mayRepeat, timeoutMs = 30_000 } = calling
  const reply = await server.send({
    method: 'tools/call',
    params: { name, arguments: args },
    envelope: { capabilities: {} },
    timeoutMs,
    session: '',
    credential,
    ...(mayRepeat === undefined ? {} : { mayRepeat }),
  }).reply
  if (reply.kind === 'answer') return reply.message.result ?? { error: reply.message.error?.message }
  return { kind: reply.kind, ...(reply.kind === 'failure' ? { failure: reply.failure } : {}) }
}

const textOf = ({ content }: Json): string =>
  (content as { text?: string }[]).map(({ text }) => text).join('\n')

describe('an answer', () => {
  it('in JSON is text and structured content, with all digits', async () => {
    api.routes['GET /a'] = res =>
      res.writeHead(200, { 'content-type': 'application/json' }).end('{"id":12345678901234567890,"x":[1]}')
    const result = await call(connect(api.describe(GET_A)), 'get_a')
    expect(textOf(result)).toBe('{"id":12345678901234567890,"x":[1]}')
    expect(result.structuredContent).toMatchObject({ x: [1] })
    expect(result.isError).toBeUndefined()
  })

  it.each([
    ['image/png', { type: 'image', data: 'AAH/', mimeType: 'image/png' }],
    ['application/pdf', { type: 'resource', resource: { blob: 'AAH/', mimeType: 'application/pdf' } }],
    ['text/csv; charset=utf-8', { type: 'text' }],
  ])('of type %s is content of that kind', async (type, content) => {
    api.routes['GET /a'] = res => res.writeHead(200, { 'content-type': type }).end(Buffer.from([0, 1, 255]))
    expect((await call(connect(api.describe(GET_A)), 'get_a')).content).toMatchObject([content])
  })

  it('without a body says that the call is done', async () => {
    api.routes['GET /a'] = res => res.writeHead(204).end()
    expect(textOf(await call(connect(api.describe(GET_A)), 'get_a'))).toBe('Done (204).')
  })

  it.each([
    [
      'a Link header',
      { items: [] },
      { link: '</a?page=2&size=5>; rel="next", </a?page=9>; rel="last"' },
      '{"page":2,"size":5}',
    ],
    ['an address', { links: { next: { href: '/a?page=3' } } }, {}, '{"page":3}'],
    ['a cursor', { meta: { next_cursor: 'abc' } }, {}, '{"cursor":"abc"}'],
  ])('with %s says how to call for the next page', async (_how, value, headers, args) => {
    const parameters = [
      ...['page', 'size'].map(name => ({ name, in: 'query', schema: { type: 'integer' } })),
      { name: 'cursor', in: 'query', schema: { type: 'string' } },
    ]
    api.routes['GET /a'] = res => sendJson(res, 200, value, headers)
    const server = connect(api.describe({ '/a': { get: { operationId: 'get_a', parameters } } }))
    expect(textOf(await call(server, 'get_a'))).toContain(`For the next page, call get_a with ${args}`)
    expect(api.received).toHaveLength(1)
  })

  it.each(['https://evil.example/a?page=2', 'http://169.254.169.254/a?page=2', '/b?page=2'])(
    'whose next page is elsewhere (%s) mentions none',
    async link => {
      const parameters = [{ name: 'page', in: 'query', schema: { type: 'integer' } }]
      api.routes['GET /a'] = res => sendJson(res, 200, [], { link: `<${link}>; rel="next"` })
      const server = connect(api.describe({ '/a': { get: { operationId: 'get_a', parameters } } }))
      expect(textOf(await call(server, 'get_a'))).toBe('[]')
    },
  )

  it('never repeats a credential that the request had', async () => {
    api.routes['GET /a'] = (res, { headers }) => sendJson(res, 200, headers)
    const auth = { kind: 'header', header: 'X-Api-Key', value: 'Key s3cret-"of"-api' } as const
    const result = await call(
      connect(api.describe(GET_A, { auth, headers: { 'x-tenant': 'blue' } })),
      'get_a',
    )
    expect(api.received[0]?.headers).toMatchObject({ 'x-api-key': auth.value, 'x-tenant': 'blue' })
    expect(JSON.stringify(result)).not.toContain('s3cret')
    expect(result.structuredContent).toMatchObject({ 'x-api-key': '[masked]', 'x-tenant': 'blue' })
  })

  const KEY = 'Key pa/ss+wo"rd\\1'
  it.each([
    ['JSON with escapes', 'application/json', String.raw`{"k":"pa\/ss\u002Bwo\u0022r\u0064\\1"}`],
    ['JSON that ends too early', 'application/json', String.raw`{"k":"pa\/ss\u002bwo\"rd\\1"`],
    ['lines of JSON', 'application/x-ndjson', String.raw`{"k":"pa\/ss\u002Bwo\"rd\\1"}`],
    ['a URL', 'text/plain', 'https://a.example?k=pa%2fss%2Bwo%22rd%5C1'],
    ['markup', 'text/html', '<b>pa/ss&#43;wo&quot;rd&#x5C;1</b>'],
    ['bytes', 'application/octet-stream', '\u0000\u0001pa/ss+wo"rd\\1\u0000'],
    ['an image', 'image/png', '\u0000\u0001pa/ss+wo"rd\\1\u0000'],
  ])('never repeats a credential in %s', async (_what, type, said) => {
    api.routes['GET /a'] = res => res.writeHead(200, { 'content-type': type }).end(said)
    const auth = { kind: 'header', header: 'X-Api-Key', value: KEY } as const
    const result = await call(connect(api.describe(GET_A, { auth })), 'get_a')
    expect(JSON.stringify(result)).toMatch(/\[masked\]|withheld/)
    expect(JSON.stringify(result)).not.toMatch(/ss.{0,8}wo|cGEvc3Mrd28/)
  })

  it('never repeats what is in Basic, in a cookie, in the address or in a link', async () => {
    const basic = Buffer.from('ann:pass-word').toString('base64')
    api.routes['GET /a'] = res =>
      sendJson(res, 200, ['ann:pass-word', 'pass-word', 'c00kie-1', 'addr-key-1'], {
        link: '</a?cursor=pass-word>; rel="next"',
      })
    const parameters = [{ name: 'cursor', in: 'query', schema: { type: 'string' } }]
    const headers = { authorization: `Basic ${basic}`, cookie: 'a=1; sid=c00kie-1' }
    const url = `${api.url}/?api_key=addr-key-1`
    const paths = { '/a': { get: { operationId: 'get_a', parameters } } }
    const result = await call(connect(api.describe(paths, { headers, url })), 'get_a')
    expect(textOf(result)).toContain('For the next page')
    expect(JSON.stringify(result)).not.toMatch(/pass-word|c00kie|addr-key/)
  })

  it('that is an error shows no part of a credential that is cut', async () => {
    api.routes['GET /a'] = res => sendJson(res, 400, { message: `${'x'.repeat(590)} secret-key-of-api` })
    const auth = { kind: 'header', header: 'X-Api-Key', value: 'secret-key-of-api' } as const
    const result = await call(connect(api.describe(GET_A, { auth })), 'get_a')
    expect(JSON.stringify(result)).not.toContain('secret')
  })
})

describe('a failure', () => {
  it.each([
    [
      400,
      { message: 'kind is unknown' },
      {},
      /400 Bad Request to GET \/a: kind is unknown\nCorrect the arguments/,
    ],
    [401, {}, {}, /An operator must correct "auth" of mcpServers\.s/],
    [403, { detail: 'no scope' }, {}, /no scope\nThe credential does not permit this/],
    [404, { error: { message: 'no a' } }, {}, /no a\nCheck the ids/],
    [409, {}, {}, /Read it again first/],
    [422, { errors: [{ title: 'age' }] }, {}, /: age\nCorrect the arguments/],
    [429, {}, { 'retry-after': '30' }, /Wait 30 seconds/],
    [500, { error: 'boom\u0007\u200b' }, {}, /: boom\nThe API failed\. The call may have taken effect/],
  ])('with status %d is a failed result that says what to do', async (status, value, headers, said) => {
    api.routes['GET /a'] = res => sendJson(res, status, value, headers)
    const result = await call(connect(api.describe(GET_A)), 'get_a', {}, { mayRepeat: true })
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(said)
    expect(result.structuredContent).toMatchObject({ status })
    expect(api.received).toHaveLength(1)
  })

  it('in HTML shows only its title', async () => {
    api.routes['GET /a'] = res =>
      res.writeHead(500, { 'content-type': 'text/html' }).end('<html><title>Oh no</title><p>stack trace</p>')
    const said = textOf(await call(connect(api.describe(GET_A)), 'get_a'))
    expect(said).toContain(': Oh no\n')
    expect(said).not.toContain('stack')
  })

  it.each([
    ['a read', true, 2],
    ['another call', false, 1],
  ])('of the proxy in front of the API repeats %s', async (_what, mayRepeat, requests) => {
    api.routes['GET /a'] = res => sendJson(res, api.received.length === 1 ? 503 : 200, {})
    const server = connect(api.describe(GET_A), {
      retry: { attempts: 3, delayMs: 1, maxDelayMs: 2, budget: 10 },
    })
    const result = await call(server, 'get_a', {}, { mayRepeat })
    expect(api.received).toHaveLength(requests)
    expect(mayRepeat ? result.isError : (result.failure as Json).kind).toBe(
      mayRepeat ? undefined : 'unavailable',
    )
  })

  it('of the body is told: too long, or compressed', async () => {
    const server = connect(api.describe(GET_A), {}, { resultBytes: 10_000 })
    api.routes['GET /a'] = res => res.end('x'.repeat(20_000))
    expect((await call(server, 'get_a')).failure).toMatchObject({ kind: 'too-large', notSent: false })
    api.routes['GET /a'] = res =>
      res.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(1000)))
    expect((await call(server, 'get_a')).failure).toMatchObject({ kind: 'protocol' })
    expect(api.received[0]?.headers['accept-encoding']).toBe('identity')
  })

  it('is a timeout if the API does not answer, and its connection is closed', async () => {
    const closed = new Promise<void>(resolve => {
      api.routes['GET /a'] = res => res.once('close', resolve)
    })
    expect(await call(connect(api.describe(GET_A)), 'get_a', {}, { timeoutMs: 200 })).toEqual({
      kind: 'timeout',
    })
    await closed
  })
})

describe('a redirect', () => {
  it('of a read is followed within the same origin, a few times', async () => {
    api.routes['GET /a'] = res => res.writeHead(302, { location: '/b?x=1' }).end()
    api.routes['GET /b'] = res => sendJson(res, 200, { ok: true })
    expect((await call(connect(api.describe(GET_A)), 'get_a')).structuredContent).toEqual({ ok: true })
    api.routes['GET /b'] = res => res.writeHead(302, { location: '/a' }).end()
    expect((await call(connect(api.describe(GET_A)), 'get_a')).isError).toBe(true)
    expect(api.received.length).toBeLessThan(8)
  })

  it.each([
    'http://169.254.169.254/latest/meta-data',
    'http://127.0.0.1:1/',
    'http://localhost/',
    '//evil.example/a',
    'https://evil.example/a',
    'file:///etc/passwd',
    'http://[::ffff:127.0.0.1]/',
    '/.//',
    '/.//evil.example/a',
  ])('to another place (%s) is not followed', async location => {
    api.routes['GET /a'] = res => res.writeHead(302, { location }).end()
    const result = await call(
      connect(api.describe(GET_A, { headers: { authorization: 'Bearer abcdefgh' } })),
      'get_a',
    )
    expect(result.isError).toBe(true)
    expect(textOf(result)).toMatch(/not followed/)
    expect(api.received).toHaveLength(1)
  })

  it('of a write is not followed', async () => {
    api.routes['POST /a'] = res => res.writeHead(307, { location: '/b' }).end()
    const server = connect(api.describe({ '/a': { post: { operationId: 'post_a' } } }))
    expect((await call(server, 'post_a')).isError).toBe(true)
    expect(api.received).toHaveLength(1)
  })
})

describe('the address', () => {
  it.each([
    'https://127.0.0.1/',
    'https://169.254.169.254/',
    'https://[::1]/',
    'https://10.0.0.1/',
    'https://0x7f.1/',
  ])('from the document must be on the public internet: %s', async url => {
    const server = connect(api.describe(GET_A, { url: undefined, servers: [{ url }] }))
    expect((await call(server, 'get_a')).failure).toMatchObject({
      detail: expect.stringMatching(/public internet/) as string,
    })
  })

  it('from the document must not lead to this machine by name', async () => {
    const server = connect(
      api.describe(GET_A, { url: undefined, servers: [{ url: 'https://localhost:9/' }] }),
    )
    await listDefinitions(server, TOOLS)
    expect((await call(server, 'get_a')).failure).toMatchObject({
      detail: expect.stringMatching(/public internet/) as string,
    })
  })

  it('from the document is not called before the tools are listed', async () => {
    const server = connect(
      api.describe(GET_A, { url: undefined, servers: [{ url: 'https://api.hintgate.invalid/' }] }),
    )
    expect((await call(server, 'get_a')).error).toMatch(/no tool/)
    await listDefinitions(server, TOOLS)
    expect((await call(server, 'get_a')).kind).toBe('failure')
  })

  it.each([[undefined], [[{ url: '/v1' }]], [[{ url: 'http://api.example' }]]])(
    'must be given if the document has none with https: %j',
    async servers => {
      const server = connect(api.describe(GET_A, { url: undefined, ...(servers && { servers }) }))
      expect((await call(server, 'get_a')).failure).toMatchObject({
        detail: expect.stringMatching(/add "url"/) as string,
      })
    },
  )
})

describe('client credentials', () => {
  const auth = () =>
    ({
      kind: 'clientCredentials',
      tokenUrl: `${api.url}/token`,
      clientId: 'gate',
      clientSecret: 's/cret of gate',
      scope: 'a b',
    }) as const
  let tokens = 0
  beforeEach(() => {
    tokens = 0
    api.routes['POST /token'] = res =>
      sendJson(res, 200, { access_token: `token-number-${++tokens}`, expires_in: 3600 })
    api.routes['GET /a'] = (res, { headers }) =>
      sendJson(res, headers.authorization === `Bearer token-number-${tokens}` ? 200 : 401, {})
  })

  it('are exchanged for one token, however many calls need it', async () => {
    const server = connect(api.describe(GET_A, { auth: auth() }))
    const results = await Promise.all(Array.from({ length: 10 }, () => call(server, 'get_a')))
    expect(results.every(({ isError, kind }) => isError === undefined && kind === undefined)).toBe(true)
    expect(tokens).toBe(1)
    const asked = api.received.find(({ url }) => url === '/token')
    expect(asked?.body).toBe('grant_type=client_credentials&scope=a+b')
    const basic = Buffer.from(String(asked?.headers.authorization).slice(6), 'base64').toString()
    expect(basic).toBe('gate:s%2Fcret%20of%20gate')
  })

  it('give one new token if the API rejects the old one, and even a write is repeated then', async () => {
    const server = connect(api.describe(GET_A, { auth: auth() }))
    await call(server, 'get_a')
    // The API forgets the token.
    tokens += 1
    const results = await Promise.all(
      Array.from({ length: 5 }, () => call(server, 'get_a', {}, { mayRepeat: false })),
    )
    expect(results.map(({ isError, kind }) => isError ?? kind)).toEqual(Array.from({ length: 5 }))
    expect(tokens).toBe(3)
  })

  it('that are refused fail the call, and the secret is not shown', async () => {
    api.routes['POST /token'] = res => sendJson(res, 401, { error: 'invalid_client' })
    const result = await call(connect(api.describe(GET_A, { auth: auth() })), 'get_a')
    expect(JSON.stringify(result)).toMatch(/gave no token: HTTP 401 \(invalid_client\)/)
    expect(JSON.stringify(result)).not.toContain('cret of')
  })
})

describe("the caller's own credential", () => {
  const auth = { kind: 'caller', header: 'Authorization' } as const

  it('is sent in the header that the config names, and is not kept for others', async () => {
    api.routes['GET /a'] = res => sendJson(res, 200, {})
    const server = connect(api.describe(GET_A, { auth }))
    await call(server, 'get_a', {}, { credential: 'Bearer of-ann' })
    await call(server, 'get_a', {}, { credential: 'Bearer of-bob' })
    expect(api.received.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer of-ann',
      'Bearer of-bob',
    ])
    const missing = await call(server, 'get_a')
    expect(textOf(missing)).toContain('x-hintgate-credential-s')
    expect(api.received).toHaveLength(2)
  })

  it('is never sent if the config does not ask for it', async () => {
    api.routes['GET /a'] = res => sendJson(res, 200, {})
    await call(connect(api.describe(GET_A)), 'get_a', {}, { credential: 'Bearer of-ann' })
    expect(JSON.stringify(api.received)).not.toContain('of-ann')
  })

  it('cannot break out of its header', async () => {
    const result = await call(
      connect(api.describe(GET_A, { auth })),
      'get_a',
      {},
      { credential: 'a\r\nhost: evil' },
    )
    expect(result.failure).toMatchObject({ notSent: true })
    expect(api.received).toEqual([])
  })
})

describe('the document', () => {
  it('is read again when it changes, and a bad edit leaves the last one in force', async () => {
    api.routes['GET /a'] = res => sendJson(res, 200, {})
    const server = connect(api.describe(GET_A))
    const changes: string[] = []
    server.listen({ onReady() {}, onDown() {}, onEvent: ({ method }) => changes.push(method) })
    const list = async () =>
      ((await listDefinitions(server, TOOLS)) as { name: string }[]).map(({ name }) => name)
    expect(await list()).toEqual(['get_a'])
    api.describe({ ...GET_A, '/b': { delete: { operationId: 'delete_b' } } })
    await expect.poll(() => changes, { timeout: 10_000 }).toEqual(['notifications/tools/list_changed'])
    // An operation can be called only after it was listed, because only then can it have been reviewed.
    expect((await call(server, 'delete_b')).error).toMatch(/no tool/)
    expect(await list()).toEqual(['get_a', 'delete_b'])
    api.describe('broken' as unknown as object)
    expect(await list()).toEqual(['get_a', 'delete_b'])
  }, 20_000)

  it('lists tools in pages', async () => {
    const paths = Object.fromEntries(Array.from({ length: 250 }, (_, at) => [`/p${at}`, { get: {} }]))
    const tools = await listDefinitions(connect(api.describe(paths)), TOOLS)
    expect(new Set(tools?.map(tool => (tool as { name: string }).name)).size).toBe(250)
  })
})
