import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, readiness, startGateway, startReadyGateway } from '../support/gateway.ts'
import { fixtureFile } from '../support/peers.ts'
import { address, run } from '../support/processes.ts'
import {
  type Json,
  LegacyClient,
  type Message,
  ModernClient,
  type Reply,
  textOf,
  toolNames,
} from '../support/raw-mcp.ts'

/** The conformance fixture in each era, on a pipe and over HTTP; it asks questions in the form of its era. */
const SERVERS = ['old-pipe', 'old-web', 'new-pipe', 'new-web']
/** The same with a connection for each session, where clients may name their roots. */
const OWN = ['old-pipe-own', 'old-web-own', 'new-pipe-own', 'new-web-own']
const OF_ONE = { isolation: 'session', roots: 'client', lazy: true }
const ABLE = { elicitation: { form: {}, url: {} }, sampling: {}, roots: { listChanged: true } }

let gateway: Gateway
let token: string

async function fixture(name: string) {
  const era = name.startsWith('old') ? 'legacy' : 'modern'
  const args = [fixtureFile(), '--era', era]
  const more = { trust: 'trusted', ...(name.endsWith('own') ? OF_ONE : {}) }
  if (name.includes('pipe')) return { command: process.execPath, args: [...args, '--stdio'], ...more }
  return { url: await address(run(process.execPath, args)), ...more }
}

beforeAll(async () => {
  const names = [...SERVERS, ...OWN]
  const servers = await Promise.all(names.map(async name => [name, await fixture(name)] as const))
  gateway = await startGateway({
    mcpServers: Object.fromEntries(servers),
    limits: { parkedCalls: 3 },
  })
  await Promise.all(SERVERS.map(name => gateway.says(readiness(name))))
  token = await gateway.site.token()
})
afterAll(cleanUp)

const ANSWERS: Readonly<Record<string, Json>> = {
  'elicitation/create': {
    action: 'accept',
    content: { username: 'Ada', email: 'ada@example.test', name: 'Ada', context: 'tests' },
  },
  'sampling/createMessage': {
    role: 'assistant',
    content: { type: 'text', text: 'Paris' },
    model: 'm',
    stopReason: 'endTurn',
  },
  'roots/list': { roots: [{ uri: 'file:///srv', name: 'srv' }] },
}

interface InputRequired {
  readonly resultType: 'input_required'
  readonly inputRequests: Readonly<Record<string, { method: string; params?: Json }>>
  readonly requestState?: string
}

const isAsking = (message: Message): boolean => message.result?.resultType === 'input_required'

/** The parameters with which a modern client repeats its call. */
function withAnswers(params: Json, asking: Message): Json {
  const { inputRequests, requestState } = asking.result as unknown as InputRequired
  const responses = Object.entries(inputRequests).map(([key, { method }]) => [key, ANSWERS[method]])
  return {
    ...params,
    inputResponses: Object.fromEntries(responses),
    ...(requestState === undefined ? {} : { requestState }),
  }
}

interface Conversation {
  readonly asked: readonly { method: string; params?: Json }[]
  readonly answer: Message
}

async function converseModern(client: ModernClient, method: string, params: Json): Promise<Conversation> {
  const asked: { method: string; params?: Json }[] = []
  let answer = await client.request(method, params)
  for (let round = 0; round < 5 && isAsking(answer); round++) {
    asked.push(...Object.values((answer.result as unknown as InputRequired).inputRequests))
    answer = await client.request(method, withAnswers(params, answer))
  }
  return { asked, answer }
}

async function converseLegacy(client: LegacyClient, method: string, params: Json): Promise<Conversation> {
  const reply: Reply = client.open(method, params)
  const asked: { method: string; params?: Json }[] = []
  for (;;) {
    const next = await reply.messages.until(
      message =>
        (message.method === undefined || message.id !== undefined) && !asked.includes(message as never),
    )
    if (next.method === undefined) return { asked, answer: next }
    asked.push(next as { method: string; params?: Json })
    await client.respond(next.id ?? '', ANSWERS[next.method] ?? {})
  }
}

const modernClient = (server: string, capabilities: Json = ABLE): ModernClient =>
  new ModernClient(gateway.endpoint(server), token, capabilities)
const legacyClient = (server: string, capabilities: Json = ABLE): Promise<LegacyClient> =>
  new LegacyClient(gateway.endpoint(server), token).initialize({ capabilities })

const converse = async (
  era: string,
  server: string,
  params: Json,
  method = 'tools/call',
): Promise<Conversation> =>
  era === 'modern'
    ? converseModern(modernClient(server), method, params)
    : converseLegacy(await legacyClient(server), method, params)

const pairUp = (servers: readonly string[]) =>
  ['modern', 'legacy'].flatMap(era => servers.map(server => [era, server] as const))
const PAIRINGS = pairUp(SERVERS)
const OWN_PAIRINGS = pairUp(OWN)

describe('a server asks during a call', () => {
  it.each(PAIRINGS)('the user: %s client, %s', async (era, server) => {
    const { asked, answer } = await converse(era, server, {
      name: 'test_elicitation',
      arguments: { message: 'Who are you?' },
    })
    expect(asked).toMatchObject([{ method: 'elicitation/create', params: { message: 'Who are you?' } }])
    expect(textOf(answer)).toMatch(/^User response: action: accept, content: .*"username":"Ada"/)
    expect(JSON.stringify(answer.result)).not.toContain('requestState')
  })

  it.each(PAIRINGS)('the model: %s client, %s', async (era, server) => {
    const { asked, answer } = await converse(era, server, {
      name: 'test_sampling',
      arguments: { prompt: 'Capital?' },
    })
    expect(asked).toMatchObject([{ method: 'sampling/createMessage', params: { maxTokens: 100 } }])
    expect(textOf(answer)).toBe('LLM response: Paris')
  })

  it.each(OWN_PAIRINGS)('several things at once, including roots: %s client, %s', async (era, server) => {
    const list = await modernClient(server).request('tools/list')
    const names = toolNames(list)
    const name = names.find(found => /multiple_inputs/.test(found)) ?? 'none'
    const { asked, answer } = await converse(era, server, { name, arguments: {} })
    expect(asked.map(({ method }) => method).toSorted()).toEqual([
      'elicitation/create',
      'roots/list',
      'sampling/createMessage',
    ])
    expect(answer.result?.isError).not.toBe(true)
    expect(answer.error).toBeUndefined()
  })

  it.each(PAIRINGS)('twice, one after the other: %s client, %s', async (era, server) => {
    const { asked, answer } = await converse(era, server, {
      name: 'test_input_required_result_multi_round',
      arguments: {},
    })
    expect(asked).toMatchObject([
      { params: { message: 'Step 1: What is your name?' } },
      { params: { message: 'Step 2: What is your favorite color?' } },
    ])
    expect(textOf(answer)).toBe('Both steps answered')
  })

  it.each(PAIRINGS)('before it returns a prompt: %s client, %s', async (era, server) => {
    const params = { name: 'test_input_required_result_prompt' }
    const { asked, answer } =
      era === 'modern'
        ? await converseModern(modernClient(server), 'prompts/get', params)
        : await converseLegacy(await legacyClient(server), 'prompts/get', params)
    expect(asked).toMatchObject([{ method: 'elicitation/create' }])
    expect(answer.error ?? answer.result).toBeDefined()
  })

  it.each(SERVERS)(
    'two users at once, each their own question, or refuses with the reason: %s',
    async server => {
      const ask = (message: string) => ({ name: 'test_elicitation', arguments: { message } })
      const legacy = await legacyClient(server)
      const modern = modernClient(server)
      const open = legacy.open('tools/call', ask('legacy?'))
      const [asking, question] = await Promise.all([
        modern.request('tools/call', ask('modern?')),
        open.messages.until(message => message.method === undefined || message.id !== undefined),
      ])
      const heard = { modern: JSON.stringify(asking), legacy: JSON.stringify(question) }
      expect(heard.modern).not.toContain('legacy?')
      expect(heard.legacy).not.toContain('modern?')
      if (isAsking(asking)) {
        const answer = await modern.request('tools/call', withAnswers(ask('modern?'), asking))
        expect(textOf(answer)).toContain('Ada')
      } else expect(heard.modern).toContain('can be asked')
      if (question.method !== undefined) {
        await legacy.respond(question.id ?? '', { action: 'decline' })
        expect(textOf(await open.answer())).toContain('decline')
      } else expect(heard.legacy).toContain('can be asked')
      // Only a legacy server on a pipe cannot tell whom its question is for.
      if (server !== 'old-pipe')
        expect([isAsking(asking), question.method]).toEqual([true, 'elicitation/create'])
    },
  )

  it.each(['old-web', 'new-pipe', 'new-web', 'old-pipe-own'])(
    'one user while another has not answered: %s',
    async server => {
      const params = { name: 'test_elicitation', arguments: { message: 'Are you there?' } }
      const client = modernClient(server)
      const asking = await client.request('tools/call', params)
      expect(isAsking(asking)).toBe(true)
      const { answer } = await converse('legacy', server, { ...params, arguments: { message: 'And you?' } })
      await client.request('tools/call', withAnswers(params, asking))
      expect(textOf(answer)).toContain('Ada')
    },
  )

  it.each(OWN)(
    'a modern client without the capability, which gets the error that names it: %s',
    async server => {
      const reply = modernClient(server, {}).openCall('test_elicitation', { message: 'x' })
      const answer = await reply.answer()
      expect(answer.error).toMatchObject({
        code: -32021,
        data: { requiredCapabilities: { elicitation: {} } },
      })
      expect(reply.status).toBe(400)
    },
  )

  it.each(OWN)('a legacy client without the capability, which gets no question: %s', async server => {
    const client = await legacyClient(server, {})
    const reply = client.openCall('test_elicitation', { message: 'x' })
    const answer = await reply.answer()
    expect(reply.messages.items.filter(message => message.method === 'elicitation/create')).toEqual([])
    expect(answer.error ?? answer.result?.isError).toBeTruthy()
  })

  it.each(OWN_PAIRINGS)('and accepts a refusal: %s client, %s', async (era, server) => {
    const params = { name: 'test_elicitation', arguments: { message: 'May I?' } }
    if (era === 'modern') {
      const client = modernClient(server)
      const asking = await client.request('tools/call', params)
      const { inputResponses } = withAnswers(params, asking) as { inputResponses: Json }
      const declined = Object.fromEntries(
        Object.keys(inputResponses).map(key => [key, { action: 'decline' }]),
      )
      const answer = await client.request('tools/call', {
        ...withAnswers(params, asking),
        inputResponses: declined,
      })
      expect(textOf(answer)).toContain('action: decline')
    } else {
      const client = await legacyClient(server)
      const reply = client.open('tools/call', params)
      const question = await reply.until('elicitation/create')
      await client.respond(question.id ?? '', { action: 'decline' })
      expect(textOf(await reply.answer())).toContain('action: decline')
    }
  })
})

describe('a call that waits for its modern client', () => {
  const params = { name: 'test_elicitation', arguments: { message: 'Who?' } }
  const park = async (server = 'old-web'): Promise<Message> => {
    const asking = await modernClient(server).request('tools/call', params)
    expect(isAsking(asking)).toBe(true)
    return asking
  }

  it('cannot be continued twice', async () => {
    const asking = await park()
    const client = modernClient('old-web')
    expect(textOf(await client.request('tools/call', withAnswers(params, asking)))).toContain('Ada')
    const again = await client.request('tools/call', withAnswers(params, asking))
    expect(again.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } })
  })

  it('cannot be continued by another caller', async () => {
    const asking = await park()
    const stranger = new ModernClient(gateway.endpoint('old-web'), await gateway.site.token(), ABLE)
    const stolen = await stranger.request('tools/call', withAnswers(params, asking))
    expect(stolen.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } })
    const mine = await modernClient('old-web').request('tools/call', withAnswers(params, asking))
    expect(textOf(mine)).toContain('Ada')
  })

  it('cannot be continued as another call, or at another server', async () => {
    const asking = await park()
    const client = modernClient('old-web')
    const others = [
      { ...withAnswers(params, asking), name: 'test_sampling' },
      { ...withAnswers(params, asking), arguments: { message: 'Something else?' } },
    ]
    for (const other of others) {
      const answer = await client.request('tools/call', other)
      expect(answer.error).toMatchObject({ code: -32602 })
    }
    const elsewhere = await modernClient('old-pipe').request('tools/call', withAnswers(params, asking))
    expect(elsewhere.error).toMatchObject({ code: -32602 })
    const mine = await client.request('tools/call', withAnswers(params, asking))
    expect(textOf(mine)).toContain('Ada')
  })

  it('cannot be continued with an invented state', async () => {
    const answer = await modernClient('old-web').request('tools/call', {
      ...params,
      requestState: 'hg1.AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA',
      inputResponses: {},
    })
    expect(answer.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } })
  })

  it('waits for the remaining answers', async () => {
    const asking = await park()
    const client = modernClient('old-web')
    const { requestState } = asking.result as unknown as InputRequired
    const still = await client.request('tools/call', { ...params, requestState, inputResponses: {} })
    expect(isAsking(still)).toBe(true)
    expect((still.result as unknown as InputRequired).requestState).not.toBe(requestState)
    expect(textOf(await client.request('tools/call', withAnswers(params, still)))).toContain('Ada')
  })

  it('expires', async () => {
    const mcpServers = { s: await fixture('old-web') }
    const brief = await startReadyGateway({ mcpServers, limits: { parkedTime: '100ms' } })
    const client = new ModernClient(brief.endpoint('s'), await brief.site.token(), ABLE)
    const asking = await client.request('tools/call', params)
    expect(isAsking(asking)).toBe(true)
    await new Promise(resolve => setTimeout(resolve, 500))
    const late = await client.request('tools/call', withAnswers(params, asking))
    expect(late.error).toMatchObject({ code: -32602, data: { reason: 'invalid_request_state' } })
  })

  it('is dropped for newer ones if there are too many', async () => {
    const waiting = [await park(), await park(), await park(), await park()]
    const client = modernClient('old-web')
    const answers: Message[] = []
    for (const asking of waiting)
      answers.push(await client.request('tools/call', withAnswers(params, asking)))
    expect(answers[0]?.error).toMatchObject({ code: -32602 })
    for (const answer of answers.slice(1)) expect(textOf(answer)).toContain('Ada')
  })

  it.each(['new-web', 'new-pipe'])('keeps the state of a modern server unchanged: %s', async server => {
    const client = modernClient(server)
    const call = { name: 'test_input_required_result_multi_round', arguments: {} }
    const first = await client.request('tools/call', call)
    expect(isAsking(first)).toBe(true)
    const forged = { ...withAnswers(call, first), requestState: 'forged' }
    expect((await client.request('tools/call', forged)).error?.code).toBe(-32602)
    expect(isAsking(await client.request('tools/call', withAnswers(call, first)))).toBe(true)
  })
})

describe('requests other than tool calls are forwarded', () => {
  const request = async (era: string, server: string) => {
    const client = era === 'modern' ? modernClient(server) : await legacyClient(server)
    return (method: string, params: Json = {}) => client.request(method, params)
  }

  it.each(PAIRINGS)('resources: %s client, %s', async (era, server) => {
    const ask = await request(era, server)
    const list = await ask('resources/list')
    expect(list.result).toMatchObject({ resources: [{ uri: 'test://static-text' }, {}, {}] })
    const templates = await ask('resources/templates/list')
    expect(templates.result).toMatchObject({
      resourceTemplates: [{ uriTemplate: 'test://template/{id}/data' }],
    })
    const read = await ask('resources/read', { uri: 'test://template/123/data' })
    expect(JSON.stringify(read.result)).toContain('Data for ID: 123')
    const blob = await ask('resources/read', { uri: 'test://static-binary' })
    expect(blob.result).toMatchObject({
      contents: [{ mimeType: 'image/png', blob: expect.stringMatching(/^iVBOR/) }],
    })
    const none = await ask('resources/read', { uri: 'test://nothing' })
    expect(none.error?.code).toBe(-32602)
    for (const { result } of [list, templates, read]) {
      const isTagged = ['resultType', 'ttlMs', 'cacheScope'].map(key => key in (result ?? {}))
      expect(isTagged).toEqual(era === 'modern' ? [true, true, true] : [false, false, false])
    }
  })

  it.each(PAIRINGS)('prompts and completions: %s client, %s', async (era, server) => {
    const ask = await request(era, server)
    const list = await ask('prompts/list')
    expect(JSON.stringify(list.result)).toContain('test_prompt_with_arguments')
    const prompt = await ask('prompts/get', {
      name: 'test_prompt_with_arguments',
      arguments: { arg1: 'grün', arg2: 'b' },
    })
    expect(JSON.stringify(prompt.result)).toContain("arg1='grün', arg2='b'")
    const completion = await ask('completion/complete', {
      ref: { type: 'ref/prompt', name: 'test_prompt_with_arguments' },
      argument: { name: 'arg1', value: 'par' },
    })
    expect(completion.result).toMatchObject({ completion: { values: ['paris', 'park', 'party'] } })
  })

  it.each(SERVERS)('log lines of a call, to a modern client that asked for them: %s', async server => {
    const client = modernClient(server)
    const logs = async (meta: Json) => {
      const reply = client.openCall('test_tool_with_logging', {}, { meta })
      await reply.closed
      return reply.messages.items.filter(message => message.method === 'notifications/message')
    }
    const level = 'io.modelcontextprotocol/logLevel'
    expect((await logs({ [level]: 'info' })).map(({ params }) => params?.data)).toEqual([
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ])
    expect(await logs({ [level]: 'error' })).toEqual([])
    expect(await logs({})).toEqual([])
  })

  it.each(SERVERS)('log lines of a call, to a legacy client that set a level: %s', async server => {
    const client = await legacyClient(server)
    const stream = await client.listen()
    expect((await client.request('logging/setLevel', { level: 'info' })).result).toEqual({})
    const reply = client.openCall('test_tool_with_logging')
    await reply.closed
    const heard = [...reply.messages.items, ...stream.messages.items]
    expect(heard.filter(message => message.method === 'notifications/message')).toHaveLength(3)
    stream.close()
  })

  it.each(PAIRINGS)('updates of a watched resource: %s client, %s', async (era, server) => {
    const uri = 'test://watched-resource'
    const trigger = modernClient(server)
    if (era === 'modern') {
      const client = modernClient(server)
      const stream = client.open(
        'subscriptions/listen',
        { notifications: { resourceSubscriptions: [uri] } },
        { id: 'sub' },
      )
      const ack = await stream.until('notifications/subscriptions/acknowledged')
      expect(ack.params).toMatchObject({ notifications: { resourceSubscriptions: [uri] } })
      await trigger.call('test_trigger_resource_update')
      const update = await stream.until('notifications/resources/updated')
      expect(update.params).toEqual({ uri, _meta: { 'io.modelcontextprotocol/subscriptionId': 'sub' } })
      stream.close()
    } else {
      const client = await legacyClient(server)
      const stream = await client.listen()
      await client.request('resources/subscribe', { uri })
      await trigger.call('test_trigger_resource_update')
      expect((await stream.until('notifications/resources/updated')).params).toMatchObject({ uri })
      await client.request('resources/unsubscribe', { uri })
      const heard = stream.messages.items.length
      await trigger.call('test_trigger_resource_update')
      await client.request('tools/list')
      expect(stream.messages.items.length).toBe(heard)
      stream.close()
    }
  })

  it('updates of a resource that is watched directly after another one', async () => {
    const uri = 'test://watched-resource'
    const client = await legacyClient('new-pipe')
    const stream = await client.listen()
    for (const one of ['test://static-text', uri]) await client.request('resources/subscribe', { uri: one })
    await modernClient('new-pipe').call('test_trigger_resource_update')
    expect((await stream.until('notifications/resources/updated')).params).toMatchObject({ uri })
    stream.close()
  })

  it.each(SERVERS)('updates, to the remaining watcher after another one stopped: %s', async server => {
    const uri = 'test://watched-resource'
    const [leaving, staying] = [await legacyClient(server), await legacyClient(server)]
    const streams = [await leaving.listen(), await staying.listen()]
    for (const client of [leaving, staying]) await client.request('resources/subscribe', { uri })
    await leaving.request('resources/unsubscribe', { uri })
    await modernClient(server).call('test_trigger_resource_update')
    expect((await streams[1]?.until('notifications/resources/updated'))?.params).toMatchObject({ uri })
    expect(streams[0]?.messages.items).toEqual([])
    for (const stream of streams) stream.close()
  })

  it.each(PAIRINGS)('changes of the lists: %s client, %s', async (era, server) => {
    const legacy = era === 'legacy' ? await legacyClient(server) : undefined
    const modern = modernClient(server)
    const interests = { toolsListChanged: true, promptsListChanged: true }
    const stream =
      (await legacy?.listen()) ?? modern.open('subscriptions/listen', { notifications: interests })
    if (legacy === undefined) await stream.until('notifications/subscriptions/acknowledged')
    const names = async (): Promise<string> =>
      JSON.stringify((await (legacy ?? modern).request('tools/list')).result?.tools)
    const before = await names()
    await modern.call('test_trigger_tool_change')
    await stream.until('notifications/tools/list_changed')
    const after = await names()
    const extra = '"name":"test_extra_tool"'
    expect(after.includes(extra)).toBe(!before.includes(extra))
    await modern.call('test_trigger_prompt_change')
    await stream.until('notifications/prompts/list_changed')
    stream.close()
  })

  it('changes of the tools of any server, on the direct surface', async () => {
    const client = await new LegacyClient(gateway.endpoint(), token).initialize()
    const stream = await client.listen()
    const subscription = new ModernClient(gateway.endpoint(), token).open('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    })
    await subscription.until('notifications/subscriptions/acknowledged')
    await modernClient('new-web').call('test_trigger_tool_change')
    await Promise.all([
      stream.until('notifications/tools/list_changed'),
      subscription.until('notifications/tools/list_changed'),
    ])
    stream.close()
    subscription.close()
  })
})

describe('arguments that headers repeat', () => {
  const args = { region: 'zürich', priority: 3, dryRun: true, note: 'not in a header' }
  const headers = {
    'mcp-param-region': '=?base64?esO8cmljaA==?=',
    'mcp-param-priority': '3',
    'mcp-param-dry-run': 'true',
  }

  it.each(SERVERS)('are written for a server that requires them: %s', async server => {
    const client = await legacyClient(server)
    expect(textOf(await client.call('test_x_mcp_header', args))).toBe(
      `Arguments received: ${JSON.stringify(args)}`,
    )
    const modern = await modernClient(server).call('test_x_mcp_header', args, { headers })
    expect(textOf(modern)).toBe(`Arguments received: ${JSON.stringify(args)}`)
  })

  it.each(SERVERS)('must be equal in the body: %s', async server => {
    const wrong = modernClient(server).openCall('test_x_mcp_header', args, {
      headers: { ...headers, 'mcp-param-priority': '4' },
    })
    expect([(await wrong.answer()).error?.code, wrong.status]).toEqual([-32020, 400])
    const missing = modernClient(server).openCall('test_x_mcp_header', args)
    expect([(await missing.answer()).error?.code, missing.status]).toEqual([-32020, 400])
  })
})

describe('a method that only one era has', () => {
  it.each(SERVERS)('is an error in the other: %s', async server => {
    const modern = modernClient(server)
    for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'tasks/list']) {
      const reply = modern.open(method, { uri: 'x', level: 'info' })
      expect([method, (await reply.answer()).error?.code, reply.status]).toEqual([method, -32601, 404])
    }
    const legacy = await legacyClient(server)
    expect((await legacy.request('server/discover')).error?.code).toBe(-32601)
    expect((await legacy.request('subscriptions/listen', { notifications: {} })).error?.code).toBe(-32601)
    expect((await legacy.request('ping')).result).toEqual({})
  })

  it.each(SERVERS)('opens a connection in both: %s', async server => {
    const discovered = await modernClient(server).request('server/discover')
    expect(discovered.result).toMatchObject({
      supportedVersions: ['2026-07-28'],
      capabilities: { tools: { listChanged: true }, resources: { subscribe: true } },
      instructions: 'Answers what the MCP conformance suite asks for.',
      _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'hintgate-fixture' } },
    })
    const greeted = await legacyClient(server)
    expect(greeted.greeting.result).toMatchObject({
      protocolVersion: '2025-11-25',
      instructions: 'Answers what the MCP conformance suite asks for.',
      serverInfo: { name: 'hintgate-fixture', title: 'Hintgate conformance fixture' },
    })
  })
})
