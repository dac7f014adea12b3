import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminWith } from '../support/admin.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { fixtureFile } from '../support/peers.ts'
import { type Json, LegacyClient, type Message, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { ERAS, refusal } from '../support/search-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

// Requests other than tool calls follow the same rules: methods outside of the protocol are not forwarded, forwarded
// requests are counted and recorded, held definitions do not exist for callers, and what a server sends meanwhile is
// screened.

const SECRET = 'key AKIAIOSFODNN7EXAMPLQ'
const RATED = `hg_agent_${'rated'.repeat(9)}`

let gateway: Gateway
let witness: Witness
let token: string
let admin: Awaited<ReturnType<typeof adminWith>>

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    quarantine: true,
    confirm: { trifecta: 'always' },
    agent_tokens: { rated: { permissions: ['read'], servers: ['open'], rate: '3/h', token: RATED } },
    mcpServers: {
      open: talkative('open', witness),
      named: talkative('named', witness, { passMethods: ['admin/wipe', 'tasks/get'] }),
      held: talkative('held', witness, { trust: 'reviewed' }),
      unseen: talkative('unseen', witness, { trust: 'reviewed', passMethods: ['admin/wipe'] }),
      redacted: talkative('redacted', witness, { results: { secrets: 'redact' } }),
      blocked: talkative('blocked', witness, { results: { secrets: 'block' } }),
      modern: {
        command: process.execPath,
        args: [fixtureFile(), '--stdio', '--era', 'modern'],
        trust: 'trusted',
        results: { secrets: 'redact' },
      },
      small: talkative('small', witness, { concurrency: 2, queue: 2 }),
      guarded: talkative('guarded', witness, {
        passMethods: ['admin/wipe'],
        guardrails: [
          { rule: 'secret_detect' },
          { rule: 'block_pattern', pattern: 'forbidden', effect: 'confirm' },
          { rule: 'block_pattern', pattern: 'note://', tools: ['echo'] },
        ],
      }),
      asking: talkative('asking', witness, {
        isolation: 'session',
        guardrails: [{ rule: 'secret_detect' }],
      }),
      unguarded: talkative('unguarded', witness, { isolation: 'session' }),
      files: talkative('files', witness),
      web: talkative('web', witness),
      mail: talkative('mail', witness),
    },
    overrides: {
      files: { hold: { sensitiveHint: true } },
      web: { '*': { openWorldHint: true, sensitiveHint: false } },
      mail: {
        echo: {
          readOnlyHint: false,
          openWorldHint: true,
          egressHint: true,
          reversibleHint: true,
          sensitiveHint: false,
        },
      },
    },
  })
  token = await gateway.site.token()
  admin = await adminWith(gateway, 'viewer')
  // One server has an approved tool, the other has none.
  const { code, stderr } = await hintgate(['tools', 'approve', 'held:echo', ...gateway.site.flags])
  if (code !== 0) throw new Error(stderr)
})
afterAll(cleanUp)

const modern = (server: string, as = token, capabilities: Json = {}) =>
  new ModernClient(gateway.endpoint(server), as, capabilities)
const legacy = (server: string, as = token) => new LegacyClient(gateway.endpoint(server), as).initialize()

/**
 * How often a method reached a server. A marker request is sent last; once it has arrived, everything before it has
 * as well.
 */
async function arrived(server: string, method: string): Promise<number> {
  const mark = crypto.randomUUID()
  await modern(server).request('resources/list', { mark })
  await witness.saw(server, 'received', ({ raw }) => raw?.includes(mark) ?? false)
  return witness.of(server).filter(sighting => sighting.method === method).length
}

describe('a method outside of the protocol', () => {
  it.each(['admin/wipe', 'tools/call ', 'Tools/Call', 'tools/list\u0000', 'roots/list', '__proto__'])(
    'is not forwarded: %j',
    async method => {
      const params = { name: 'echo', arguments: {} }
      const old = await (await legacy('open')).request(method, params)
      expect(old.error).toMatchObject({ code: -32601 })
      const headers = /^[\w/]+$/.test(method) ? {} : { 'mcp-method': 'x' }
      const now = await modern('open').request(method, params, { headers })
      expect([-32601, -32020]).toContain(now.error?.code)
      expect(await arrived('open', method)).toBe(0)
    },
  )

  it('is forwarded if the operator allows it, and is recorded before', async () => {
    expect((await modern('named').request('admin/wipe')).result).toMatchObject({ wiped: true })
    const task = await (await legacy('named')).request('tasks/get', { taskId: 'x' })
    expect(task.error?.code).toBe(-32601)
    const { items } = await admin.listActivity({ query: { tool: 'admin/wipe' } })
    const call = await admin.getActivity({ params: { request: items[0]?.request ?? '' } })
    expect(call).toMatchObject({ outcome: 'answered', door: 'method', rows: [{}, {}] })
    expect(await arrived('named', 'tasks/get')).toBe(0)
  })

  it('is not forwarded to a server without approved definitions, and neither are reads', async () => {
    for (const [method, params] of [
      ['admin/wipe', {}],
      ['resources/list', {}],
      ['resources/read', { uri: 'note://listed' }],
    ] as const) {
      expect((await modern('unseen').request(method, params)).error?.code).toBe(-32601)
      expect((await (await legacy('unseen')).request(method, params)).error?.code).toBe(-32601)
    }
    expect(new Set(witness.of('unseen').map(({ method }) => method))).not.toContain('resources/read')
  })

  it('is not forwarded for a token that may only read', async () => {
    const reader = await gateway.site.token({ permissions: 'read' })
    expect((await modern('named', reader).request('admin/wipe')).error?.code).toBe(-32601)
  })
})

describe('a resource or prompt that is read', () => {
  it('counts against the rate limit of the token and is recorded', async () => {
    const client = await legacy('open', RATED)
    const replies: Message[] = []
    for (const method of ['resources/read', 'prompts/get', 'resources/read', 'resources/read'])
      replies.push(await client.request(method, { uri: 'note://listed', name: 'p1' }))
    const codes = replies.map(({ error }) => (error?.data as Json | undefined)?.code ?? 'passed')
    expect(codes).toEqual(['passed', 'passed', 'passed', 'rate_limited'])
    const call = await client.call('echo')
    expect(JSON.stringify(call)).toContain('rate_limited')
    const wanted = [
      'resources/read answered',
      'resources/read refused',
      'prompts/get answered',
      'echo refused',
    ]
    await expect
      .poll(async () => {
        const { items } = await admin.listActivity({ query: { agent: 'rated', limit: 20 } })
        return items.map(({ tool, outcome }) => `${tool} ${outcome}`)
      })
      .toEqual(expect.arrayContaining(wanted))
  })
})

/** The newest row of a method that contains the marker; waits until it is there. */
async function rowOf(method: string, mark: string) {
  let found: Awaited<ReturnType<typeof admin.getActivity>> | undefined
  await expect
    .poll(async () => {
      const { items } = await admin.listActivity({ query: { tool: method, limit: 50 } })
      const rows = await Promise.all(items.map(({ request }) => admin.getActivity({ params: { request } })))
      found = rows.find(row => row.outcome !== undefined && JSON.stringify(row).includes(mark))
      return found !== undefined
    })
    .toBe(true)
  return found
}

describe('the record of an answer of a server', () => {
  it.each(['guardrail_blocked', 'rate_limited', 'AKIAIOSFODNN7EXAMPLQ'])(
    'does not take an error code of the server for one of the gateway: %s',
    async code => {
      const mark = crypto.randomUUID()
      const error = { code: -1, message: `failed ${mark}`, data: { code } }
      await modern('named').request('admin/wipe', { error })
      const row = await rowOf('admin/wipe', mark)
      expect(row).toMatchObject({ outcome: 'error', code: '-1', verdict: 'allow' })
      expect(JSON.stringify(row)).not.toContain('"code":"AKIA')
    },
  )

  it('says that the request failed, not that it was not sent, if the answer was held back', async () => {
    const uri = `note://error ${crypto.randomUUID()} ${SECRET}`
    const { error } = await modern('blocked').request('resources/read', { uri })
    expect(error).toMatchObject({ data: { code: 'guardrail_blocked' } })
    const row = await rowOf('resources/read', uri.slice(0, 40))
    expect(row).toMatchObject({ outcome: 'failed', code: 'guardrail_blocked', verdict: 'allow' })
  })
})

describe('a resource that is watched', () => {
  const listenTo = (server: string, uri: string) =>
    modern(server).open('subscriptions/listen', { notifications: { resourceSubscriptions: [uri] } })

  it('is recorded', async () => {
    const [one, other] = [`note://${crypto.randomUUID()}`, `note://${crypto.randomUUID()}`]
    await (await legacy('open')).request('resources/subscribe', { uri: one })
    const stream = listenTo('open', other)
    await stream.until('notifications/subscriptions/acknowledged')
    for (const [method, uri] of [
      ['resources/subscribe', one],
      ['subscriptions/listen', other],
    ] as const)
      expect(await rowOf(method, uri)).toMatchObject({ outcome: 'answered', door: 'method', server: 'open' })
    await witness.saw('open', 'received', ({ raw }) => raw?.includes(other) ?? false)
    stream.close()
  })

  it('is refused if it waits for review, or nothing of its server is approved', async () => {
    const subscribe = async (server: string, uri: string) =>
      (await (await legacy(server)).request('resources/subscribe', { uri })).error?.code
    const listen = async (server: string, uri: string) => (await listenTo(server, uri).answer()).error?.code
    for (const ask of [subscribe, listen]) {
      expect(await ask('unseen', 'note://listed')).toBe(-32601)
      expect(await ask('held', 'note://by-template')).toBe(-32602)
    }
    expect(await subscribe('held', 'note://listed')).toBeUndefined()
    expect(await arrived('held', 'resources/subscribe')).toBeLessThanOrEqual(1)
  })
})

describe('a guardrail on texts', () => {
  const leaking: [string, Json][] = [
    ['resources/read', { uri: `note://${SECRET}` }],
    ['prompts/get', { name: 'p1', arguments: { a: SECRET } }],
    ['prompts/get', { name: SECRET }],
    [
      'completion/complete',
      { ref: { type: 'ref/prompt', name: 'p1' }, argument: { name: 'id', value: SECRET } },
    ],
    ['admin/wipe', { deep: [{ [SECRET]: 1 }] }],
    ['resources/read', { uri: 'note://forbidden' }],
  ]

  it.each([...leaking, ['resources/subscribe', { uri: `note://${SECRET}` }] as [string, Json]])(
    'checks requests other than tool calls: %s %j',
    async (method, params) => {
      const client = await legacy('guarded')
      const { error } = await client.request(method, params)
      expect(error).toMatchObject({ data: { code: 'guardrail_blocked' } })
      expect(await arrived('guarded', method)).toBe(0)
    },
  )

  it('checks the addresses that a modern client wants to watch', async () => {
    const notifications = { resourceSubscriptions: ['note://listed', `note://${SECRET}`] }
    const { error } = await modern('guarded').request('subscriptions/listen', { notifications })
    expect(error).toMatchObject({ data: { code: 'guardrail_blocked' } })
    expect(await arrived('guarded', 'resources/subscribe')).toBe(0)
    await expect
      .poll(
        async () => (await admin.listActivity({ query: { tool: 'subscriptions/listen', limit: 50 } })).items,
      )
      .toContainEqual(expect.objectContaining({ server: 'guarded', outcome: 'refused', verdict: 'deny' }))
  })

  it('does not stop requests that it has no objection to', async () => {
    expect(
      (await modern('guarded').request('resources/read', { uri: 'note://listed' })).error,
    ).toBeUndefined()
    const { error } = await (await legacy('guarded')).request('resources/subscribe', { uri: 'note://listed' })
    expect(error).toBeUndefined()
    await witness.saw('guarded', 'received', ({ method }) => method === 'resources/subscribe')
  })
})

describe.each(ERAS)('what a %s session has read without a tool', era => {
  const askingAs =
    (token: string) =>
    async (server: string, method: string, params: Json = {}): Promise<Message> => {
      const meta = { 'io.hintgate/session': 'one' }
      return era === 'modern'
        ? modern(server, token).request(method, params, { meta })
        : (await legacy(server, token)).request(method, { ...params, _meta: meta })
    }

  it('is refused if it would complete the trifecta', async () => {
    const ask = askingAs(await gateway.site.token())
    await ask('web', 'prompts/get', { name: 'p1' })
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
      await ask('files', method)
    // Lists do not touch risk factors.
    expect(refusalOf(await ask('mail', 'tools/call', { name: 'echo', arguments: {} }))).toBeUndefined()
    const uri = `note://private-${era}`
    const { error } = await ask('files', 'resources/read', { uri })
    expect(error).toMatchObject({
      data: { code: 'trifecta' },
      message: expect.stringContaining('web:prompts/get'),
    })
    await ask('files', 'resources/list')
    expect(witness.of('files').some(({ raw }) => raw?.includes(uri))).toBe(false)
  })

  it('counts with the hints of the tools of its server, before a call that sends data', async () => {
    const ask = askingAs(await gateway.site.token())
    await ask('web', 'prompts/get', { name: 'p1' })
    for (const method of ['prompts/list', 'resources/list', 'resources/templates/list'])
      await ask('files', method)
    await ask('files', 'resources/read', { uri: 'note://listed' })
    const send = () => ask('mail', 'tools/call', { name: 'echo', arguments: {} })
    const [data, content, way] = refusal(await send()).reasons.map(({ text }) => String(text))
    expect(data).toMatch(/^private data: files:resources\/read \(request \S+\), declared$/)
    expect(content).toMatch(/^untrusted content: web:prompts\/get \(request \S+\), declared$/)
    expect(way).toBe('external communication: this call, declared')
  })

  it('counts in the same way if it is watched', async () => {
    const as = await gateway.site.token()
    const meta = { 'io.hintgate/session': 'watching' }
    const session = (server: string) => ({ client: modern(server, as), options: { meta } })
    const web = session('web')
    await web.client.request('prompts/get', { name: 'p1' }, web.options)
    const uri = 'note://listed'
    if (era === 'modern') {
      const files = session('files')
      const params = { notifications: { resourceSubscriptions: [uri] } }
      const stream = files.client.open('subscriptions/listen', params, files.options)
      await stream.until('notifications/subscriptions/acknowledged')
      stream.close()
    } else await (await legacy('files', as)).request('resources/subscribe', { uri, _meta: meta })
    const mail = session('mail')
    const sent = await mail.client.request('tools/call', { name: 'echo', arguments: {} }, mail.options)
    expect(refusal(sent).reasons.map(({ text }) => String(text))[0]).toMatch(
      era === 'modern'
        ? /^private data: files:subscriptions\/listen/
        : /^private data: files:resources\/subscribe/,
    )
  })
})

describe.each(ERAS)('a prompt or resource that waits for review, requested by a %s client', era => {
  const ask = async (server: string, method: string, params: Json): Promise<Message> =>
    (era === 'modern' ? modern(server) : await legacy(server)).request(method, params)
  const complete = (ref: Json): [string, Json] => [
    'completion/complete',
    { ref, argument: { name: 'id', value: 'x' } },
  ]

  it.each([
    ['prompts/get', { name: 'p1' }],
    ['prompts/get', { name: ['p1'] }],
    ['prompts/get', { name: { toString: 'p1' } }],
    ['resources/read', { uri: 'note://listed', URI: 'note://by-template' }],
    complete({ type: 'ref/resource', uri: 'note://listed', Name: 'p1' }),
    complete({ type: 'ref/prompt', name: 'p1' }),
    complete({ type: 'ref/prompt', name: ['p1'] }),
    complete({ type: 'ref/resource', uri: 'note://{id}' }),
    complete({ type: 'ref/resource', uri: ['note://{id}'] }),
    complete({ type: 'ref/resource', uri: 'note://listed', name: 'p1' }),
    complete({ type: ['ref/prompt'], name: 'p1' }),
    ['resources/read', { uri: 'note://by-template' }],
    ['resources/read', { uri: 'NOTE://by-template' }],
    ['resources/read', { uri: ['note://by-template'] }],
  ])('is answered as unknown: %s %j', async (method, params) => {
    const before = await arrived('held', method)
    expect((await ask('held', method, params)).error?.code).toBe(-32602)
    expect(await arrived('held', method)).toBe(before)
  })

  it.each([
    ['held', 'resources/read', { uri: 'note://listed' }],
    ['open', 'resources/read', { uri: 'note://by-template' }],
    ['open', 'prompts/get', { name: 'p1' }],
    ['open', ...complete({ type: 'ref/prompt', name: 'p1' })],
    ['open', ...complete({ type: 'ref/resource', uri: 'note://{id}' })],
  ])('does not affect approved or unquarantined ones: %s %s %j', async (server, method, params) => {
    expect((await ask(server, method, params)).error).toBeUndefined()
  })
})

describe('a secret in what a server sends during a call', () => {
  const ABLE = { elicitation: { form: {} } }
  const LOGS = { 'io.modelcontextprotocol/logLevel': 'debug', progressToken: 'p' }

  it('is redacted in progress, log lines and questions', async () => {
    const reply = modern('redacted', token, ABLE).openCall('leak', { text: SECRET }, { meta: LOGS })
    await reply.closed
    expect(reply.messages.items.map(({ method }) => method)).toEqual([
      'notifications/progress',
      'notifications/message',
      undefined,
    ])
    expect(reply.text).toContain('input_required')
    expect(reply.text).not.toContain('AKIAIOSFODNN7EXAMPLQ')
    expect(reply.text).toContain('io.hintgate/taint')
  })

  it('is redacted in questions of a modern server, for clients of both eras', async () => {
    const now = await modern('modern', token, ABLE).call('test_elicitation', { message: SECRET })
    expect(now.result?.resultType).toBe('input_required')
    const client = new LegacyClient(gateway.endpoint('modern'), token)
    await client.initialize({ capabilities: ABLE })
    const call = client.openCall('test_elicitation', { message: SECRET })
    const question = await call.until('elicitation/create')
    for (const said of [now, question]) expect(JSON.stringify(said)).not.toContain('AKIAIOSFODNN7EXAMPLQ')
    call.close()
  })

  it('is redacted in errors', async () => {
    const { error } = await modern('redacted').request('resources/read', { uri: `note://error ${SECRET}` })
    expect(error).toMatchObject({ code: -32002, message: expect.stringContaining('not found') })
    expect(JSON.stringify(error)).not.toContain('AKIAIOSFODNN7EXAMPLQ')
  })

  it('makes the gateway hold all of it back if the operator configured block', async () => {
    const reply = modern('blocked', token, ABLE).openCall('leak', { text: SECRET }, { meta: LOGS })
    await reply.closed
    expect(reply.text).not.toContain('AKIAIOSFODNN7EXAMPLQ')
    expect(reply.messages.items).toHaveLength(1)
    const question = witness.of('blocked').find(({ method }) => method === 'answer to elicitation/create')
    expect(question?.raw).toContain('held back')
    const { error } = await modern('blocked').request('resources/read', { uri: `note://error ${SECRET}` })
    expect(error).toMatchObject({ data: { code: 'guardrail_blocked' } })
  })

  it('is forwarded if no rule is configured', async () => {
    const reply = modern('named', token, ABLE).openCall('leak', { text: SECRET }, { meta: LOGS })
    await reply.closed
    expect(reply.text.split('AKIAIOSFODNN7EXAMPLQ')).toHaveLength(4)
  })
})

describe('the answer to a question during a call', () => {
  const ABLE = { elicitation: { form: {} } }
  const params = { name: 'ask_later', arguments: { question: 'which?', after: 0 } }
  const accept = (n: string) => ({ action: 'accept', content: { n } })
  const told = (server: string) =>
    witness.of(server).filter(({ method }) => method === 'answer to elicitation/create')

  async function answerAsLegacy(server: string, n: string): Promise<string> {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize({ capabilities: ABLE })
    const call = client.openCall('ask_later', params.arguments)
    const { id } = await call.until('elicitation/create')
    await client.post({ jsonrpc: '2.0', id: id ?? 0, result: accept(n) }).closed
    await call.closed
    return call.text
  }

  async function answerAsModern(server: string, n: string): Promise<string> {
    const client = modern(server, token, ABLE)
    const { result } = await client.request('tools/call', params)
    const { inputRequests, requestState } = result as { inputRequests: Json; requestState: string }
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map(key => [key, accept(n)]))
    return JSON.stringify(await client.request('tools/call', { ...params, requestState, inputResponses }))
  }

  it.each([
    ['an older client', answerAsLegacy],
    ['a modern client that comes back with it', answerAsModern],
  ])('is checked by guardrails for external communication, like arguments: %s', async (_who, answerAs) => {
    const isHeldBack = ({ raw = '' }) => raw.includes('held back the answer')
    const before = told('asking').filter(isHeldBack).length
    expect(await answerAs('asking', 'the blue one')).toContain('the blue one')
    const said = await answerAs('asking', SECRET)
    expect(said).not.toContain('AKIAIOSFODNN7EXAMPLQ')
    await expect.poll(() => told('asking').filter(isHeldBack).length).toBe(before + 1)
    for (const { raw } of told('asking')) expect(raw).not.toContain('AKIAIOSFODNN7EXAMPLQ')
    expect(await answerAs('unguarded', SECRET)).toContain('AKIAIOSFODNN7EXAMPLQ')
  })
})

describe('a caller that watches three hundred resources', () => {
  const uris = Array.from({ length: 300 }, (_, at) => `note://${at}`)

  it('gets the 256 that it may watch, and delays no other caller', async () => {
    const stream = modern('small').open('subscriptions/listen', {
      notifications: { resourceSubscriptions: uris },
    })
    const ack = await stream.until('notifications/subscriptions/acknowledged')
    expect(ack.params?.notifications).toEqual({ resourceSubscriptions: uris.slice(0, 256) })
    const other = await gateway.site.token()
    for (let round = 0; round < 3; round++)
      expect((await modern('small', other).call('echo')).result?.isError).not.toBe(true)
    const last = await witness.saw('small', 'received', ({ raw }) => raw?.includes('"note://255"') ?? false)
    expect(last.method).toBe('resources/subscribe')
    const told = witness.of('small').filter(({ method }) => method === 'resources/subscribe')
    expect(told).toHaveLength(256)
    const late = await legacy('small')
    const refused = await late.request('resources/subscribe', { uri: 'note://one-more' })
    expect(refused.error?.message).toContain('too many subscriptions')
    stream.close()
    await expect
      .poll(async () => (await late.request('resources/subscribe', { uri: 'note://1' })).error)
      .toBeUndefined()
  })
})
