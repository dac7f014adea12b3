import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type IncomingMessage, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { CLOCK, letAnHourPass } from '../support/clock.ts'
import { approve } from '../support/confirming.ts'
import {
  type Gateway,
  type Server,
  Site,
  startGateway,
  startReadyGateway,
  startStdioGateway,
  stdioServer,
} from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, type Json, LegacyClient, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { callsSeenBy } from '../support/search-client.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { talkative } from './talkative.ts'

/**
 * A call was judged, and then waits for its turn, its server, a person or an answer. Meanwhile, the facts that it was
 * judged by may change.
 */

let witness: Witness
beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

const hints = (sensitiveHint: boolean, egressHint = false) => ({
  'io.hintgate/hints': { sensitiveHint, egressHint },
})
const HELD = scripted('write', { annotations: WRITES, _meta: hints(false) }, { does: 'hold' })
const IN_LINE = { parallel: 'exclusive-writes' }
const trifecta = {
  RULES: { confirm: { destructive: 'never', trifecta: 'deny' } },
  READING: [
    scripted('read_private', { _meta: hints(true) }),
    scripted('read_page', { annotations: { ...READS, openWorldHint: true }, _meta: hints(false) }),
  ],
  SENDING: { annotations: { ...WRITES, openWorldHint: true }, _meta: hints(false, true) },
}

/** The arguments of all calls that reached a server, after everything sent has arrived. */
async function argumentsSeenBy(server: ScriptedServer, client: ModernClient): Promise<readonly unknown[]> {
  const seen = await callsSeenBy(server.name, witness, mark => client.call('echo', mark))
  return seen.map(call => call.arguments)
}

describe('a call that waits for its turn', () => {
  /** The server holds one call, so that the next one of the session waits. */
  async function fillTheLine(server: ScriptedServer, config: Record<string, unknown> = {}) {
    const gateway = await startReadyGateway({ ...config, mcpServers: { s: server.config } })
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    const other = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    const first = client.call('write', { me: 'first' })
    await witness.saw(server.name, 'hanging')
    const waiting = client.call('write', { me: 'waiting' })
    // By now the gateway has received the waiting call.
    await other.request('tools/list')
    return { gateway, other, first, waiting }
  }

  it('is refused if its tool has changed and waits for review', async () => {
    const server = new ScriptedServer('changed-in-line', witness, [HELD], { more: IN_LINE })
    const { gateway, other, first, waiting } = await fillTheLine(server, { quarantine: true })
    server.change([scripted('write', { ...HELD.definition, description: 'Deletes all.' }, { does: 'hold' })])
    await expect.poll(() => toolsOf(gateway, other.token)).toEqual(['echo'])
    witness.tell(server.name, { kind: 'release' })
    await first
    expect(refusalOf(await waiting)).toBe('quarantined')
    expect(await argumentsSeenBy(server, other)).toEqual([{ me: 'first' }])
  })

  it('is refused if a policy now denies it', async () => {
    const server = new ScriptedServer('forbidden-in-line', witness, [HELD], { more: IN_LINE })
    const { gateway, other, first, waiting } = await fillTheLine(server)
    gateway.site.configure({ mcpServers: { s: server.config }, policyDefault: 'deny' })
    await expect.poll(async () => refusalOf(await other.call('echo'))).toBe('policy_denied')
    witness.tell(server.name, { kind: 'release' })
    await first
    expect(refusalOf(await waiting)).toBe('policy_denied')
    const seen = witness.of(server.name).filter(({ method }) => method === 'tools/call')
    expect(seen.some(({ raw }) => raw?.includes('waiting'))).toBe(false)
  })

  it('is refused if its session meanwhile touched the other risk factors', async () => {
    const { RULES, READING, SENDING } = trifecta
    const tools = [HELD, scripted('send', SENDING)]
    const server = new ScriptedServer('sends-in-line', witness, tools, { more: IN_LINE })
    const world = new ScriptedServer('world', witness, READING)
    const gateway = await startReadyGateway({ ...RULES, mcpServers: { s: server.config, o: world.config } })
    const client = new ModernClient(gateway.endpoint(), await gateway.site.token())
    const first = client.call('s__write', { me: 'first' })
    await witness.saw(server.name, 'hanging')
    const sending = client.call('s__send', { me: 'sent' })
    await client.request('tools/list')
    for (const tool of ['o__read_private', 'o__read_page'])
      expect(refusalOf(await client.call(tool))).toBeUndefined()
    witness.tell(server.name, { kind: 'release' })
    await first
    expect(refusalOf(await sending)).toBe('trifecta')
    expect(await argumentsSeenBy(server, new ModernClient(gateway.endpoint('s'), client.token))).toEqual([
      { me: 'first' },
    ])
  })
})

it('a call on a pipe that waits for its turn is refused if its token expires meanwhile', async () => {
  const server = new ScriptedServer('expires-in-line', witness, [HELD], { more: IN_LINE })
  const site = new Site({ mcpServers: { s: server.config } })
  const create = ['tokens', 'create', 'bob', '--permissions', 'read,write', '--expires', '1h']
  expect((await hintgate([...create, ...site.flags])).code).toBe(0)
  const gateway = startStdioGateway(site, ['--agent', 'bob', '--server', 's'], { env: CLOCK })
  const client = new StdioClient(gateway)
  await client.initialize()
  const [first, second] = ['first', 'second'].map(me =>
    client.start('tools/call', { name: 'write', arguments: { me } }),
  )
  await witness.saw(server.name, 'hanging')
  await letAnHourPass(gateway)
  witness.tell(server.name, { kind: 'release' })
  await client.answerTo(first ?? '')
  expect(refusalOf(await client.answerTo(second ?? ''))).toBe('unknown_tool')
  const calls = witness.of(server.name).filter(({ method }) => method === 'tools/call')
  expect(calls).toHaveLength(1)
})

describe('the answer to a question of a server', () => {
  it.each(['legacy', 'modern'] as const)(
    'is not sent to a %s server if the call is forbidden meanwhile',
    async era => {
      const name = `asks-${era}`
      const asking = new ScriptedServer(name, witness, [scripted('ask', {}, { does: 'ask' })], {
        era: 'modern',
      })
      const server = era === 'modern' ? asking.config : stdioServer(name, witness)
      const gateway = await startReadyGateway({ mcpServers: { s: server } })
      const token = await gateway.site.token()
      const capabilities = { elicitation: {} }
      const client = await new LegacyClient(gateway.endpoint('s'), token).initialize({ capabilities })
      const params = { mode: 'form', message: 'which?', requestedSchema: { type: 'object', properties: {} } }
      const asked = client.openCall('ask', { method: 'elicitation/create', params })
      const question = await asked.until('elicitation/create')
      gateway.site.configure({ mcpServers: { s: server }, policyDefault: 'deny' })
      const probe = () => client.call('echo').then(refusalOf)
      await expect.poll(probe).toBe('policy_denied')
      await client.respond(question.id ?? 0, { action: 'accept', content: { text: 'PRIVATE' } })
      const answer = await asked.answer()
      expect(JSON.stringify(answer)).toContain(era === 'modern' ? 'policy_denied' : 'held back')
      // The server has received the call, so it counts as sent.
      const [row] = await rowsOf(gateway, 'ask')
      expect(row).toMatchObject({ outcome: era === 'modern' ? 'failed' : 'answered', attempts: 1 })
      expect(witness.of(name).some(({ raw }) => raw?.includes('PRIVATE'))).toBe(false)
    },
  )

  it('is checked by guardrails that were added meanwhile', async () => {
    const mcpServers = { s: stdioServer('guarded-by-now', witness) }
    const gateway = await startReadyGateway({ mcpServers })
    const capabilities = { elicitation: {} }
    const client = new LegacyClient(gateway.endpoint('s'), await gateway.site.token())
    await client.initialize({ capabilities })
    const params = { mode: 'form', message: 'which?', requestedSchema: { type: 'object', properties: {} } }
    const asked = client.openCall('ask', { method: 'elicitation/create', params })
    const question = await asked.until('elicitation/create')
    gateway.site.configure({ mcpServers, guardrails: [{ rule: 'keyword_block', keywords: ['private'] }] })
    const probe = () => client.call('echo', { text: 'private' }).then(refusalOf)
    await expect.poll(probe).toBe('guardrail_blocked')
    const before = witness.of('guarded-by-now').length
    await client.respond(question.id ?? 0, { action: 'accept', content: { text: 'private' } })
    expect(JSON.stringify(await asked.answer())).toContain('held back')
    const since = witness.of('guarded-by-now').slice(before)
    expect(since.some(({ raw }) => raw?.includes('private'))).toBe(false)
  })

  it.each(['forbidden', 'cancelled'])(
    'is not sent while it waits for a slot if the call is %s',
    async how => {
      const name = `no-place-${how}`
      const mcpServers = {
        s: talkative(name, witness, { concurrency: 1 }),
        o: stdioServer(`${name}-other`, witness),
      }
      const gateway = await startReadyGateway({ mcpServers })
      const capabilities = { elicitation: {} }
      const [client, other] = await Promise.all(
        [await gateway.site.token(), await gateway.site.token()].map(token =>
          new LegacyClient(gateway.endpoint('s'), token).initialize({ capabilities }),
        ),
      )
      if (client === undefined || other === undefined) throw new Error('no clients')
      const asked = client.openCall('ask_later', { question: 'which?', after: 0 }, 77)
      const question = await asked.until('elicitation/create')
      const holding = other.call('hold')
      await witness.saw(name, 'hanging')
      await client.respond(question.id ?? 0, { action: 'accept', content: { text: 'PRIVATE' } })
      if (how === 'cancelled') await client.notify('notifications/cancelled', { requestId: 77 })
      else {
        gateway.site.configure({ mcpServers, policyDefault: 'deny' })
        const probe = async () =>
          refusalOf(await new ModernClient(gateway.endpoint('o'), other.token).call('echo'))
        await expect.poll(probe).toBe('policy_denied')
      }
      witness.tell(name, { kind: 'release' })
      await holding
      if (how === 'forbidden') await asked.answer()
      await new ModernClient(gateway.endpoint('s'), other.token).request('resources/list')
      expect(witness.of(name).some(({ raw }) => raw?.includes('PRIVATE'))).toBe(false)
    },
  )

  it('in a request other than a tool call is not sent if the token lost the permission', async () => {
    const folder = newFolder()
    const token = `hg_agent_${'abcde'.repeat(9)}`
    const config = (permissions: readonly string[]) => ({
      agent_tokens: { bob: { permissions, servers: ['*'], token } },
      mcpServers: { s: program('inquisitive.mjs', folder, { isolation: 'session' }) },
    })
    const gateway = await startReadyGateway(config(['read']))
    const client = new LegacyClient(gateway.endpoint('s'), token)
    await client.initialize({ capabilities: { elicitation: {} } })
    const reading = client.open('resources/read', { uri: 'note://x' })
    const question = await reading.until('elicitation/create')
    gateway.site.configure(config(['write']))
    const probe = async () =>
      (await new ModernClient(gateway.endpoint('s'), token).request('resources/read', { uri: 'note://y' }))
        .error?.code
    await expect.poll(probe).toBe(-32601)
    await client.respond(question.id ?? 0, { action: 'accept', content: { text: 'PRIVATE' } })
    await reading.answer()
    expect(readFileSync(join(folder, 'answers'), 'utf8')).toMatch(/held back/)
  })
})

describe('a call that is sent again', () => {
  it('with a new token for its server is refused if it is forbidden meanwhile', async () => {
    const server = await startForgetful()
    const config = {
      mcpServers: {
        s: {
          url: `${server.url}/mcp`,
          trust: 'trusted',
          oauth: { grant: 'client_credentials', clientId: 'c', clientSecret: 's', issuer: server.url },
        },
        o: stdioServer('beside-forgetful', witness),
      },
    }
    const gateway = await startReadyGateway(config)
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    expect(textOf(await client.call('put'))).toBe('executed')
    server.forget()
    const waiting = client.call('put')
    await server.isAsked
    gateway.site.configure({ ...config, policyDefault: 'deny' })
    const other = new ModernClient(gateway.endpoint('o'), client.token)
    const probe = async () => refusalOf(await other.call('echo'))
    await expect.poll(probe).toBe('policy_denied')
    server.give()
    expect(refusalOf(await waiting)).toBe('policy_denied')
    expect(server.executed).toBe(1)
  })
})

describe('a call that was approved with a preview', () => {
  it.each(['declared', 'deny'])(
    'is sent whatever risk factors the preview brought into the session: %s',
    async trifecta => {
      const look = { annotations: { ...READS, openWorldHint: true }, _meta: hints(true) }
      const wipe = {
        annotations: { ...DESTROYS, openWorldHint: true },
        _meta: { ...hints(false, true), 'io.hintgate/preview': { tool: 'look' } },
      }
      const server = new ScriptedServer(`previews-${trifecta}`, witness, [
        scripted('look', look),
        scripted('wipe', wipe),
      ])
      const gateway = await startReadyGateway({
        confirm: { destructive: 'always', trifecta, channel: 'person', wait: '60s' },
        mcpServers: { s: server.config },
      })
      const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
      const call = client.call('wipe', { me: 'x' })
      await approve(gateway.site, await findAsked(gateway))
      expect(refusalOf(await call)).toBeUndefined()
    },
  )
})

describe('a retried call', () => {
  it('does not reach a tool whose definition changed in the restart', async () => {
    const folder = newFolder()
    const gateway = await startReadyGateway({
      quarantine: true,
      mcpServers: { s: program('mortal.mjs', folder) },
    })
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    expect(refusalOf(await client.call('look'))).toMatch(/^(quarantined|upstream_unavailable)$/)
    expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('Looks.\n')
    expect(await rowsOf(gateway, 'look')).toMatchObject([{ outcome: 'failed', attempts: 1 }])
  })
})

describe.each(['modern', 'legacy'] as const)('a call of a %s client', era => {
  const clientOf = async (url: string, token: string) =>
    era === 'modern' ? new ModernClient(url, token) : new LegacyClient(url, token).initialize()

  it.each(['revoked', 'cancelled'])('is not sent if its caller is %s before', async how => {
    const folder = newFolder()
    const gateway = await startGateway({ mcpServers: { s: program('late.mjs', folder, { lazy: true }) } })
    const { name, token } = await gateway.site.namedToken()
    const client = await clientOf(gateway.endpoint('s'), token)
    const call =
      client instanceof ModernClient
        ? client.openCall('put', { me: 'x' }, { id: 77 })
        : client.openCall('put', { me: 'x' }, 77)
    call.answer().catch(() => {})
    const received = () =>
      existsSync(join(folder, 'received')) ? readFileSync(join(folder, 'received'), 'utf8') : ''
    await expect.poll(received).toContain('tools/list')
    if (how === 'revoked') {
      await gateway.site.revoke(name)
      await isTurnedAway(gateway, token)
      await call.closed
    } else if (client instanceof LegacyClient)
      await client.notify('notifications/cancelled', { requestId: 77 })
    else call.close()
    // The gateway learns of a closed connection a moment later; this call comes after that.
    const other = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    writeFileSync(join(folder, 'go'), '')
    expect(textOf(await other.call('put', { me: 'other' }))).toBe('put')
    expect(received()).toContain('{"me":"other"}')
    expect(received()).not.toContain('{"me":"x"}')
  })

  it('that waits for a person is refused if its token loses the permission', async () => {
    const server = new ScriptedServer(`narrowed-${era}`, witness, [
      scripted('wipe', { annotations: DESTROYS }),
    ])
    const token = `hg_agent_${'abcde'.repeat(9)}`
    const config = (permissions: readonly string[]) => ({
      confirm: { destructive: 'always', trifecta: 'off', channel: 'person', wait: '60s' },
      agent_tokens: { bob: { permissions, servers: ['*'], token } },
      mcpServers: { s: server.config },
    })
    const gateway = await startReadyGateway(config(['read', 'destructive']))
    const client = await clientOf(gateway.endpoint('s'), token)
    const call = client.call('wipe', { me: 'x' })
    const asked = await findAsked(gateway)
    gateway.site.configure(config(['read']))
    await expect.poll(() => toolsOf(gateway, token)).toEqual(['echo'])
    await approve(gateway.site, asked)
    expect(refusalOf(await call)).toBe('permission_denied')
    const { stdout } = await hintgate(['audit', 'query', '--tool', 'wipe', '--json', ...gateway.site.flags])
    expect(stdout).not.toContain('"answered"')
    expect(witness.of(server.name).some(({ method }) => method === 'tools/call')).toBe(false)
  })
})

describe('a request that waits before it is judged', () => {
  const TOKEN = `hg_agent_${'abcde'.repeat(9)}`
  const scoped = (scope: Json) => ({ agent_tokens: { bob: { servers: ['*'], token: TOKEN, ...scope } } })
  const ALL = { permissions: ['read', 'write'] }
  const LESS = { permissions: ['read'] }

  /** Another server, which shows what the token may still do. */
  const beside = (name: string) =>
    new ScriptedServer(name, witness, [scripted('write', { annotations: WRITES })])

  async function narrow(gateway: Gateway, config: Json): Promise<void> {
    gateway.site.configure(config)
    const listed = async () => {
      const { result } = await new ModernClient(gateway.endpoint('o'), TOKEN).request('tools/list')
      return ((result?.tools ?? []) as { name: string }[]).map(({ name }) => name)
    }
    await expect.poll(listed).toEqual(['echo'])
  }

  it.each(['modern', 'legacy'] as const)(
    'for the list of a server is refused for a %s client whose token lost the permission',
    async era => {
      const folder = newFolder()
      const mcpServers = {
        s: program('late.mjs', folder, { lazy: true }),
        o: beside(`beside-late-${era}`).config,
      }
      const gateway = await startGateway({ ...scoped(ALL), mcpServers })
      const client =
        era === 'modern'
          ? new ModernClient(gateway.endpoint(), TOKEN)
          : await new LegacyClient(gateway.endpoint(), TOKEN).initialize()
      const call = client.call('s__put', { me: 'x' })
      const received = () =>
        existsSync(join(folder, 'received')) ? readFileSync(join(folder, 'received'), 'utf8') : ''
      await expect.poll(received).toContain('tools/list')
      await narrow(gateway, { ...scoped(LESS), mcpServers })
      writeFileSync(join(folder, 'go'), '')
      expect(refusalOf(await call)).toBe('permission_denied')
      expect(received()).not.toContain('tools/call')
    },
  )

  it('in a batch is refused if the token lost access to its server', async () => {
    const server = new ScriptedServer('batched', witness, [scripted('look', {}, { does: 'hold' })])
    const mcpServers = { s: server.config, o: beside('beside-batched').config }
    const gateway = await startReadyGateway({ ...scoped(ALL), mcpServers })
    const client = new ModernClient(`${gateway.url}/mcp`, TOKEN)
    const calls = ['first', 'second'].map(me => ({ name: 's:look', args: { me } }))
    const batch = client.call('call_tools_read', { calls, max_parallel: 1 })
    await witness.saw(server.name, 'hanging')
    await narrow(gateway, { ...scoped({ ...LESS, servers: ['o'] }), mcpServers })
    witness.tell(server.name, { kind: 'release' })
    const second = { ok: false, error: { code: 'unknown_tool' } }
    expect((await batch).result?.structuredContent).toMatchObject({ results: [{ ok: true }, second] })
    const seen = witness.of(server.name).filter(({ method }) => method === 'tools/call')
    expect(seen).toHaveLength(1)
  })

  it.each<[string, Json, RegExp]>([
    ['tools/call', { name: 'write', arguments: {} }, /unknown_tool/],
    ['resources/read', { uri: 'note://x' }, /-32601/],
  ])('for the rest of its body is refused if the token lost access meanwhile: %s', async (...given) => {
    const [method, params, refusal] = given
    const name = `slow-${method.replace('/', '-')}`
    const server = beside(name)
    const mcpServers = { s: server.config, o: beside(`beside-${name}`).config }
    const gateway = await startReadyGateway({ ...scoped(ALL), mcpServers })
    const client = await new LegacyClient(gateway.endpoint('s'), TOKEN).initialize()
    const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params })
    const req = request(client.url, { method: 'POST', headers: client.headers, agent: false })
    const response = once(req, 'response') as Promise<[IncomingMessage]>
    req.write(body.slice(0, 20))
    await narrow(gateway, { ...scoped({ ...LESS, servers: ['o'] }), mcpServers })
    req.end(body.slice(20))
    const [res] = await response
    expect(await text(res)).toMatch(refusal)
    expect(witness.of(server.name).some(seen => seen.method === method)).toBe(false)
  })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'hintgate-waits-'))
  later(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

function program(name: string, folder: string, more: Server = {}): Server {
  const file = fileURLToPath(new URL(`servers/${name}`, import.meta.url))
  return { command: process.execPath, args: [file, folder], trust: 'trusted', ...more }
}

/** The rows of the audit log, newest first. */
async function rowsOf({ site }: Gateway, tool: string): Promise<readonly unknown[]> {
  const { stdout } = await hintgate(['audit', 'query', '--tool', tool, '--json', ...site.flags])
  return (JSON.parse(stdout) as { calls: unknown[] }).calls
}

/** A server behind OAuth that can invalidate a token; the next one is issued when the test says so. */
async function startForgetful() {
  let [given, wanted, executed] = [0, 1, 0]
  let [ask, give] = [(): void => {}, (): void => {}]
  const isAsked = new Promise<void>(resolve => {
    ask = resolve
  })
  let mayGive = Promise.resolve()
  const methods: Readonly<Record<string, (params: Json) => Json>> = {
    initialize: ({ protocolVersion }) => ({
      protocolVersion,
      capabilities: { tools: {} },
      serverInfo: { name: 'forgetful', version: '1' },
    }),
    'tools/list': () => ({
      tools: [{ name: 'put', inputSchema: { type: 'object' }, annotations: WRITES }],
    }),
    'tools/call': () => {
      executed += 1
      return { content: [{ type: 'text', text: 'executed' }] }
    },
  }
  const server = createServer(async (req, res) => {
    const body = await text(req)
    const reply = (value: unknown) =>
      res.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(value))
    const issuer = url()
    if (req.url?.startsWith('/.well-known/oauth-protected-resource'))
      return reply({ resource: `${issuer}/mcp`, authorization_servers: [issuer] })
    if (req.url?.startsWith('/.well-known/'))
      return reply({
        issuer,
        token_endpoint: `${issuer}/token`,
        authorization_endpoint: `${issuer}/authorize`,
        response_types_supported: ['code'],
      })
    if (req.url === '/token') {
      if (given > 0) ask()
      await mayGive
      given += 1
      return reply({ access_token: `t${given}`, token_type: 'Bearer', expires_in: 3600 })
    }
    const metadata = `${issuer}/.well-known/oauth-protected-resource/mcp`
    if (req.headers.authorization !== `Bearer t${wanted}`)
      return res.writeHead(401, { 'www-authenticate': `Bearer resource_metadata="${metadata}"` }).end()
    if (req.method !== 'POST') return res.writeHead(405).end()
    const { id, method, params } = JSON.parse(body) as { id?: number; method: string; params: Json }
    if (id === undefined) return res.writeHead(202).end()
    const result = methods[method]?.(params)
    const error = { code: -32601, message: 'Method not found' }
    return reply({ jsonrpc: '2.0', id, ...(result === undefined ? { error } : { result }) })
  })
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  later(() => {
    server.closeAllConnections()
    server.close()
  })
  return {
    url: url(),
    isAsked,
    give: () => give(),
    forget() {
      wanted = given + 1
      mayGive = new Promise(resolve => {
        give = resolve
      })
    },
    get executed() {
      return executed
    },
  }
}

/** The tools of the server `s` that this token may use. */
async function toolsOf(gateway: Gateway, token: string): Promise<readonly string[]> {
  const { result } = await new ModernClient(gateway.endpoint('s'), token).request('tools/list')
  return ((result?.tools ?? []) as { name: string }[]).map(({ name }) => name)
}

/** The id of the only open question. */
async function findAsked({ site }: Gateway): Promise<string> {
  const list = async () => {
    const { stdout } = await hintgate(['approvals', 'list', '--json', ...site.flags])
    return (JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)
  }
  await expect.poll(list).toHaveLength(1)
  return (await list())[0] ?? ''
}

async function isTurnedAway(gateway: Gateway, token: string): Promise<void> {
  const ask = () =>
    send(gateway.endpoint(), {
      headers: { ...bearer(token), 'content-type': 'application/json' },
      body: '{}',
    })
  await expect.poll(async () => (await ask()).status).toBe(401)
}
