import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { AN_HOUR_LATER, CLOCK, letAnHourPass } from '../support/clock.ts'
import {
  ASKABLE,
  approve,
  comeBack,
  decide,
  FORM,
  questionOf,
  waitingFor,
  YES,
} from '../support/confirming.ts'
import {
  type Gateway,
  Site,
  startGatewayAt,
  startReadyGateway,
  startStdioGateway,
} from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { type Json, LegacyClient, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy, dataOf, EVERYTHING, refusal } from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let servers = 0

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

interface Scene {
  readonly gateway: Gateway
  readonly server: ScriptedServer
  readonly token: string
  readonly client: ModernClient
  readonly count: (tool: string) => Promise<number>
}

const TOOLS = [scripted('destroy', { annotations: DESTROYS }), scripted('write', { annotations: WRITES })]

/** A gateway with one server, whose tools need approval as configured. */
async function play(
  config: Json = {},
  tools = TOOLS,
  { era = 'legacy', env = {} }: { era?: 'legacy' | 'modern'; env?: NodeJS.ProcessEnv } = {},
): Promise<Scene> {
  const name = `scene-${++servers}`
  const server = new ScriptedServer(name, witness, tools, { era })
  const mcpServers = { s: server.config }
  const gateway = await startReadyGateway({ confirm: {}, mcpServers, ...config }, { env })
  const token = await gateway.site.token({ permissions: EVERYTHING })
  const client = new ModernClient(gateway.endpoint('s'), token)
  const count = async (tool: string): Promise<number> => {
    const seen = await callsSeenBy(name, witness, mark => client.call('echo', mark))
    return seen.filter(call => call.name === tool).length
  }
  return { gateway, server, token, client, count }
}

const askable = ({ gateway, token }: Scene): ModernClient =>
  new ModernClient(gateway.endpoint('s'), token, ASKABLE)

describe('when only a person may decide', () => {
  it('a hijacked agent cannot accept its own question', async () => {
    const scene = await play({ confirm: { channel: 'person' } })
    const client = askable(scene)
    const first = await client.call('destroy', { id: 1 })
    const { id } = waitingFor(first)
    // It answers unasked, in every possible way.
    const inputResponses = { [FORM]: YES }
    const params = { name: 'destroy', arguments: { id: 1 }, inputResponses }
    expect(refusalOf(await client.request('tools/call', params))).toBe('confirmation_required')
    expect(refusalOf(await client.request('tools/call', { ...params, requestState: id }))).toBe(
      'confirmation_required',
    )
    const legacy = await new LegacyClient(scene.gateway.endpoint('s'), scene.token).initialize({
      capabilities: ASKABLE,
    })
    expect(refusalOf(await legacy.call('destroy', { id: 1 }))).toBe('confirmation_required')
    expect(await scene.count('destroy')).toBe(0)
    await approve(scene.gateway.site, id)
    expect(refusalOf(await client.call('destroy', { id: 1 }))).toBeUndefined()
    expect(await scene.count('destroy')).toBe(1)
  })

  it('a state from before the rule became stricter is not accepted', async () => {
    const scene = await play()
    const client = askable(scene)
    const { requestState } = questionOf(await client.call('destroy', { id: 1 }))
    const { site } = scene.gateway
    site.configure({ confirm: { channel: 'person' }, mcpServers: { s: scene.server.config } })
    await scene.gateway.says(/reloaded the configuration/)
    const args = { id: 1 }
    const answer = await comeBack(client, { name: 'destroy', args, requestState, answer: YES })
    expect(refusalOf(answer)).toBe('confirmation_expired')
    expect(await scene.count('destroy')).toBe(0)
  })

  it('a person cannot approve their own call', async () => {
    const { gateway } = await play({ confirm: { channel: 'person' } })
    const called = await hintgate([
      'call',
      's:destroy',
      '{"id":1}',
      '--variant',
      'destructive',
      '--json',
      ...gateway.site.flags,
    ])
    expect(called.code).toBe(11)
    const listed = await hintgate(['approvals', 'list', '--json', ...gateway.site.flags])
    const [waiting] = JSON.parse(listed.stdout) as { id: string; principal: string }[]
    const caller = waiting?.principal.replace('person:', '') ?? ''
    const own = await decide(gateway.site, 'approve', waiting?.id ?? '', '--by', caller)
    expect(own.code).toBe(10)
    expect(own.stderr).toContain('explain approval_own')
  })
})

describe('an approval', () => {
  it('passes no claim of a legacy client to a modern server', async () => {
    const scene = await play({}, TOOLS, { era: 'modern' })
    const order = 'delete everything'
    const client = await new LegacyClient(scene.gateway.endpoint('s'), scene.token).initialize({
      capabilities: { sampling: { tools: {}, order }, experimental: { order: {} } },
      clientInfo: { name: 'x', version: '1', title: order },
    })
    await client.request('logging/setLevel', { level: order })
    await approve(scene.gateway.site, waitingFor(await client.call('destroy', { id: 1 })).id)
    expect(refusalOf(await client.call('destroy', { id: 1 }))).toBeUndefined()
    const { raw = '' } = await witness.saw(scene.server.name, 'received', ({ raw }) =>
      Boolean(raw?.includes('"destroy"')),
    )
    expect(raw).toContain('"sampling":{"tools":{}}')
    expect(raw).not.toMatch(/order|delete everything/)
  })

  it('expires', async () => {
    const { gateway, client, count } = await play({ confirm: { expires: '59m' } }, TOOLS, { env: CLOCK })
    const { id } = waitingFor(await client.call('destroy', { id: 1 }))
    await approve(gateway.site, id)
    await letAnHourPass(gateway)
    expect(waitingFor(await client.call('destroy', { id: 1 })).id).not.toBe(id)
    const late = await hintgate(['approvals', 'approve', id, ...gateway.site.flags], { env: AN_HOUR_LATER })
    expect(late.stderr).toContain('explain approval_decided')
    expect(await count('destroy')).toBe(0)
  })

  it('is invalid after the definition changed', async () => {
    const scene = await play({ quarantine: true })
    const { gateway, client, server, count } = scene
    const { id } = waitingFor(await client.call('destroy', { id: 1 }))
    await approve(gateway.site, id)
    server.change([
      scripted('destroy', { annotations: DESTROYS, description: 'Another one.' }),
      scripted('write', { annotations: WRITES }),
    ])
    await expect.poll(async () => refusalOf(await client.call('destroy', { id: 2 }))).toBe('quarantined')
    expect(refusalOf(await client.call('destroy', { id: 1 }))).toBe('quarantined')
    const reviewed = await hintgate(['tools', 'approve', 's:destroy', '--yes', ...gateway.site.flags])
    expect(reviewed.code).toBe(0)
    await expect
      .poll(async () => refusalOf(await client.call('destroy', { id: 2 })))
      .toBe('confirmation_required')
    expect(waitingFor(await client.call('destroy', { id: 1 })).id).not.toBe(id)
    expect(await count('destroy')).toBe(0)
  })

  it('is invalid after the rules changed', async () => {
    const { gateway, client, server, count } = await play()
    const { id } = waitingFor(await client.call('destroy', { id: 1 }))
    await approve(gateway.site, id)
    gateway.site.configure({ confirm: { write: 'always' }, mcpServers: { s: server.config } })
    await gateway.says(/reloaded the configuration/)
    expect(waitingFor(await client.call('destroy', { id: 1 })).id).not.toBe(id)
    expect(await count('destroy')).toBe(0)
  })

  it('survives a restart, as does the open question', async () => {
    const { gateway, client, token } = await play()
    const { id } = waitingFor(await client.call('destroy', { id: 1 }))
    const open = waitingFor(await client.call('destroy', { id: 2 }))
    await approve(gateway.site, id)
    gateway.child.kill('SIGKILL')
    await gateway.exited
    const next = await startGatewayAt(gateway.site)
    const again = new ModernClient(next.endpoint('s'), token)
    expect(refusalOf(await again.call('destroy', { id: 1 }))).toBeUndefined()
    expect(waitingFor(await again.call('destroy', { id: 2 })).id).toBe(open.id)
    expect(refusalOf(await again.call('destroy', { id: 1 }))).toBe('confirmation_required')
  })

  it('may be valid for the session or the arguments, if configured', async () => {
    const scene = await play({ confirm: { remember: ['session', 'arguments'] } })
    const { gateway, client } = scene
    const forArguments = waitingFor(await client.call('destroy', { id: 1 }))
    await approve(gateway.site, forArguments.id, '--remember', 'arguments')
    for (let i = 0; i < 3; i++) expect(refusalOf(await client.call('destroy', { id: 1 }))).toBeUndefined()
    const forSession = waitingFor(await client.call('destroy', { id: 2 }))
    await approve(gateway.site, forSession.id, '--remember', 'session')
    for (let id = 3; id < 6; id++) expect(refusalOf(await client.call('destroy', { id }))).toBeUndefined()
    const elsewhere = await client.call('destroy', { id: 7 }, { meta: { 'io.hintgate/session': 'another' } })
    expect(refusalOf(elsewhere)).toBe('confirmation_required')
    const same = await client.call('destroy', { id: 1 }, { meta: { 'io.hintgate/session': 'another' } })
    expect(refusalOf(same)).toBeUndefined()
  })

  it('offers the user of a client to remember it only if configured', async () => {
    const open = await play({ confirm: { remember: ['arguments'] } })
    const client = askable(open)
    const { requestState, schema } = questionOf(await client.call('destroy', { id: 1 }))
    expect(schema).toMatchObject({ properties: { remember: { enum: ['once', 'arguments'] } } })
    const content = { decision: 'approve', remember: 'arguments' }
    const args = { id: 1 }
    await comeBack(client, { name: 'destroy', args, requestState, answer: { action: 'accept', content } })
    expect(refusalOf(await client.call('destroy', args))).toBeUndefined()
    const closed = await play()
    const other = askable(closed)
    const asked = questionOf(await other.call('destroy', args))
    expect(asked.schema).not.toHaveProperty('properties.remember')
    const greedy = {
      name: 'destroy',
      args,
      requestState: asked.requestState,
      answer: { action: 'accept', content },
    }
    expect(refusalOf(await comeBack(other, greedy))).toBeUndefined()
    expect(questionOf(await other.call('destroy', args))).toBeDefined()
    const { id } = waitingFor(await closed.client.call('destroy', { id: 2 }))
    const refused = await decide(closed.gateway.site, 'approve', id, '--remember', 'session')
    expect(refused).toMatchObject({ code: 10 })
    expect(refused.stderr).toContain('explain approval_once')
  })

  it('covers one question of a modern server during the call', async () => {
    const tools = [scripted('destroy', { annotations: DESTROYS }, { does: 'ask' })]
    const scene = await play({}, tools, { era: 'modern' })
    const client = askable(scene)
    const args = { id: 1 }
    const { requestState } = questionOf(await client.call('destroy', args))
    const asked = await comeBack(client, { name: 'destroy', args, requestState, answer: YES })
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { which: {} } })
    const state = String(asked.result?.requestState)
    expect(state).toMatch(/^hgc1\./)
    const params = { name: 'destroy', requestState: state, inputResponses: { which: { action: 'accept' } } }
    const other = await client.request('tools/call', { ...params, arguments: { id: 2 } })
    expect(refusalOf(other)).toBe('confirmation_expired')
    const done = await client.request('tools/call', { ...params, arguments: args })
    expect(JSON.parse(textOf(done))).toEqual({
      requestState: 'state of the server',
      inputResponses: { which: { action: 'accept' } },
    })
    const replayed = await client.request('tools/call', { ...params, arguments: args })
    expect(refusalOf(replayed)).toBe('confirmation_expired')
    // A client must not present the server's state as its own.
    const forged = { ...params, arguments: args, requestState: 'state of the server' }
    expect(questionOf(await client.request('tools/call', forged))).toBeDefined()
  })
})

it.each(['arguments', 'session'] as const)(
  'remembered for %s covers questions of a modern server too',
  async remember => {
    const tools = [scripted('destroy', { annotations: DESTROYS }, { does: 'ask' })]
    const client = askable(await play({ confirm: { remember: [remember] } }, tools, { era: 'modern' }))
    const args = { id: 1 }
    const { requestState } = questionOf(await client.call('destroy', args))
    const answer = { action: 'accept', content: { decision: 'approve', remember } }
    await comeBack(client, { name: 'destroy', args, requestState, answer })
    const asked = await client.call('destroy', args)
    expect(asked.result).toMatchObject({ resultType: 'input_required', inputRequests: { which: {} } })
    const inputResponses = { which: { action: 'accept' } }
    const params = {
      name: 'destroy',
      arguments: args,
      requestState: asked.result?.requestState,
      inputResponses,
    }
    expect(JSON.parse(textOf(await client.request('tools/call', params)))).toMatchObject({ inputResponses })
    expect(refusalOf(await client.request('tools/call', params))).toBe('confirmation_expired')
  },
)

describe('a preview', () => {
  it('by another tool shows the person what would change', async () => {
    const preview = { 'io.hintgate/preview': { tool: 'look' } }
    const result = { content: [{ type: 'text', text: 'would delete Ada\u202e and 3 notes' }] }
    const tools = [
      scripted('destroy', { annotations: DESTROYS, _meta: preview }),
      scripted('look', { annotations: READS }, { result }),
    ]
    const scene = await play({}, tools)
    const { message } = questionOf(await askable(scene).call('destroy', { id: 1 }))
    expect(message).toContain('would delete Ada\\u{202e} and 3 notes')
    expect(await scene.count('look')).toBe(1)
    expect(await scene.count('destroy')).toBe(0)
  })

  it('by an argument calls the same tool with that argument set', async () => {
    const preview = { 'io.hintgate/preview': { argument: 'dry_run' } }
    const inputSchema = { type: 'object', properties: { dry_run: { type: 'boolean' } } }
    const scene = await play({}, [
      scripted('destroy', { annotations: DESTROYS, inputSchema, _meta: preview }),
    ])
    const { message } = questionOf(await askable(scene).call('destroy', { id: 1 }))
    expect(message).toContain('"dry_run":true')
    expect(await scene.count('destroy')).toBe(1)
  })

  it('is neither run nor shown when its tool is not read-only', async () => {
    const preview = { 'io.hintgate/preview': { tool: 'other' } }
    const tools = [
      scripted('destroy', { annotations: DESTROYS, _meta: preview }),
      scripted('other', { annotations: DESTROYS }),
    ]
    const scene = await play({ confirm: { destructive: 'always' } }, tools)
    const { message } = questionOf(await askable(scene).call('destroy', { id: 1 }))
    expect(message).not.toContain('would change')
    expect(await scene.count('other')).toBe(0)
  })
})

const page = scripted('fetch', { annotations: { ...READS, openWorldHint: true } })
const secret = scripted('read', {
  annotations: READS,
  _meta: { 'io.hintgate/hints': { sensitiveHint: true } },
})
const send = scripted('send', {
  annotations: { ...WRITES, openWorldHint: true },
  _meta: { 'io.hintgate/hints': { egressHint: true, sensitiveHint: false } },
})
const note = scripted('note', {
  annotations: WRITES,
  _meta: { 'io.hintgate/hints': { egressHint: false, sensitiveHint: false } },
})

describe('a session that has read a page and a private file', () => {
  const tools = [page, secret, send, note]

  for (const era of ['modern', 'legacy'] as const)
    it(`needs approval before it sends, and the form shows the three calls (${era})`, async () => {
      const scene = await play({}, tools)
      const url = scene.gateway.endpoint('s')
      const client = era === 'modern' ? scene.client : await new LegacyClient(url, scene.token).initialize()
      await client.call('fetch', {})
      expect(refusalOf(await client.call('note', {}))).toBeUndefined()
      await client.call('read', {})
      expect(refusalOf(await client.call('note', {}))).toBeUndefined()
      const { reasons } = refusal(await client.call('send', {}))
      expect(reasons.map(({ rule }) => rule)).toEqual(Array(3).fill('session.trifecta'))
      const texts = reasons.map(({ text }) => String(text))
      expect(texts[0]).toMatch(/^private data: s:read \(request \S+\), declared$/)
      expect(texts[1]).toMatch(/^untrusted content: s:fetch \(request \S+\), declared$/)
      expect(texts[2]).toBe('external communication: this call, declared')
      expect(await scene.count('send')).toBe(0)
    })

  it('needs approval over stdio too, and the answer on the pipe counts', async () => {
    const server = new ScriptedServer('piped', witness, tools)
    const site = new Site({ confirm: {}, mcpServers: { s: server.config } })
    const client = new StdioClient(startStdioGateway(site, ['--server', 's']))
    await client.initialize(ASKABLE)
    const call = (name: string) => client.start('tools/call', { name, arguments: {} })
    for (const name of ['fetch', 'read']) await client.answerTo(call(name))
    const sent = call('send')
    const question = await client.messages.until(({ method }) => method === 'elicitation/create')
    expect(question.params?.message).toContain('untrusted content: s:fetch')
    client.write({ jsonrpc: '2.0', id: question.id, result: YES })
    expect(textOf(await client.answerTo(sent))).toContain('send')
  })

  it('keeps its risk after the gateway was killed', async () => {
    const { gateway, client, token } = await play({}, tools)
    await client.call('fetch', {})
    await client.call('read', {})
    gateway.child.kill('SIGKILL')
    await gateway.exited
    const next = await startGatewayAt(gateway.site)
    const again = new ModernClient(next.endpoint('s'), token)
    expect(refusalOf(await again.call('send', {}))).toBe('confirmation_required')
  })

  it('is shown by retrieve_tools and hintgate sessions, and can be reset', async () => {
    const { gateway, client, token } = await play({}, tools)
    await client.call('fetch', {})
    await client.call('read', {})
    const search = new ModernClient(`${gateway.url}/mcp`, token)
    const found = dataOf<{ session_risk: Json }>(await search.call('retrieve_tools', { query: 'send' }))
    expect(found.session_risk).toMatchObject({
      level: 'some',
      riskFactors: [
        { factor: 'private_data', tool: 's:read', basis: 'declared' },
        { factor: 'untrusted_content', tool: 's:fetch', basis: 'declared' },
      ],
    })
    const { flags } = gateway.site
    const listed = await hintgate(['sessions', 'list', '--json', ...flags])
    const [session] = JSON.parse(listed.stdout) as { id: string; risk: string; riskFactors: Json[] }[]
    expect(session).toMatchObject({ id: 'agent:agent-1', risk: 'some' })
    const shown = await hintgate(['sessions', 'show', 'agent:agent-1', ...flags])
    expect(shown.stdout).toMatch(/private_data +s:read +declared/)
    const reset = await hintgate(['sessions', 'reset', 'agent:agent-1', ...flags])
    expect(reset.stdout).toContain('Cleared the risk factors of agent:agent-1')
    await expect
      .poll(async () =>
        dataOf<{ session_risk: Json }>(await search.call('retrieve_tools', { query: 'send' })),
      )
      .toMatchObject({ session_risk: { level: 'none' } })
    expect(refusalOf(await client.call('send', {}))).toBeUndefined()
    expect((await hintgate(['sessions', 'reset', 'nobody', ...flags])).code).toBe(1)
  })

  it.each([
    ['off', undefined],
    ['warn', undefined],
    ['always', 'confirmation_required'],
    ['deny', 'trifecta'],
  ])('with trifecta %j gets %j', async (trifecta, code) => {
    const { client } = await play({ confirm: { trifecta } }, tools)
    await client.call('fetch', {})
    await client.call('read', {})
    expect(refusalOf(await client.call('send', {}))).toBe(code)
  })

  it('gets only a warning when the hints are undeclared', async () => {
    const silent = ['get_page', 'get_mail', 'post_it'].map(name => scripted(name, { annotations: {} }))
    const scene = await play({}, silent)
    const search = new ModernClient(`${scene.gateway.url}/mcp`, scene.token)
    const call = (name: string) => search.call('call_tool_write', { name: `s:${name}`, args: {} })
    for (const name of ['get_page', 'get_mail']) await call(name)
    const last = await call('post_it')
    expect(refusalOf(last)).toBeUndefined()
    const meta = last.result?._meta as Record<string, string[]> | undefined
    const notes = meta?.['io.hintgate/notes']
    expect(notes?.join()).toContain('may combine private data, untrusted content and external communication')
    const { client } = await play({ confirm: { trifecta: 'always' } }, silent)
    await client.call('get_page', {})
    expect(refusalOf(await client.call('get_mail', {}))).toBe('confirmation_required')
  })
})

describe('rate limits', () => {
  it('apply to a token and to a server, and say how long to wait', async () => {
    const secretOf = (name: string) => `${name}-0123456789abcdefghijklmnopqrstuvwxyz`
    const scope = { permissions: ['read', 'write'], servers: ['*'] }
    const agent_tokens = {
      slow: { ...scope, token: secretOf('slow'), rate: '2/h' },
      quick: { ...scope, token: secretOf('quick') },
    }
    const { gateway } = await play({ agent_tokens })
    const slow = new ModernClient(gateway.endpoint('s'), secretOf('slow'))
    const quick = new ModernClient(gateway.endpoint('s'), secretOf('quick'))
    for (let i = 0; i < 2; i++) expect(refusalOf(await slow.call('write', {}))).toBeUndefined()
    const limited = refusal(await slow.call('write', {}))
    expect(limited).toMatchObject({ code: 'rate_limited', reasons: [{ rule: 'rate.token' }] })
    expect(limited.remedy).toMatch(/^Wait \d+ s/)
    for (let i = 0; i < 5; i++) expect(refusalOf(await quick.call('write', {}))).toBeUndefined()
  })
})

describe('policies', () => {
  it('decide, and are reloaded when they change, unless they are invalid', async () => {
    const { gateway, client, server } = await play()
    const file = join(gateway.site.folder, 'policy.yaml')
    const rule = (effect: string) =>
      `rules:\n  - id: no-writes\n    effect: ${effect}\n    tools: [write]\n    reason: Nobody writes here.\n`
    writeFileSync(file, rule('deny'))
    gateway.site.configure({ policies: ['policy.yaml'], mcpServers: { s: server.config } })
    await gateway.says(/reloaded the configuration/)
    const denied = refusal(await client.call('write', {}))
    expect(denied).toMatchObject({
      code: 'policy_denied',
      reasons: [
        {
          rule: 'policy.no-writes',
          source: 'policy.yaml:2',
          text: expect.stringContaining('Nobody writes here'),
        },
      ],
    })
    writeFileSync(file, rule('denny'))
    await gateway.says(/policy\.yaml:3:\d+: .*denny|the new configuration is invalid/)
    expect(refusalOf(await client.call('write', {}))).toBe('policy_denied')
    writeFileSync(file, rule('confirm'))
    await expect.poll(async () => refusalOf(await client.call('write', {}))).toBe('confirmation_required')
  })

  it('with an error stop the gateway at startup, with the place of the error', async () => {
    const { gateway, server } = await play()
    writeFileSync(
      join(gateway.site.folder, 'bad.yaml'),
      'rules:\n  - id: a\n    effect: deny\n    when: agnt.name == "x"\n    reason: x\n',
    )
    gateway.site.configure({ policies: ['bad.yaml'], mcpServers: { s: server.config } })
    const started = await hintgate(['serve', ...gateway.site.flags, '--listen', '127.0.0.1:0'])
    expect(started.code).toBe(2)
    expect(started.stderr).toMatch(/bad\.yaml:4:\d+: .*agnt/)
    expect(started.stderr).toContain('agent')
  })
})
