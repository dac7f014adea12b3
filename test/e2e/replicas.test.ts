import { randomBytes } from 'node:crypto'
import { createServer } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startBalancer } from '../support/balancer.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import { type Gateway, readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { fixtureFile } from '../support/peers.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { LegacyClient, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { READS, ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { SDK_V1, SDK_V2_LEGACY } from '../support/sdk-clients.ts'
import { openWitness } from '../support/witness.ts'

/** Private data, untrusted content and external communication: all three risk factors. */
const TRIO = [
  scripted('fetch', { annotations: { ...READS, openWorldHint: true } }),
  scripted('letters', {
    annotations: READS,
    _meta: { 'io.hintgate/hints': { sensitiveHint: true, egressHint: false } },
  }),
  scripted('send', {
    annotations: { ...WRITES, openWorldHint: true },
    _meta: { 'io.hintgate/hints': { egressHint: true, sensitiveHint: false } },
  }),
]

describe.skipIf(!hasPostgres())('replicas behind a round-robin load balancer', () => {
  const key = randomBytes(32).toString('base64')
  let site: Site
  let token: string
  let url: string
  const replicas: Gateway[] = []

  async function startReplica(secret = key): Promise<Gateway> {
    const address = `127.0.0.1:${await findFreePort()}`
    const env = { HINTGATE_SECRET_KEY: secret, HINTGATE_ADVERTISE: `http://${address}` }
    const replica = await startGatewayAt(site, { env }, address)
    await Promise.all(['things', 'old'].map(name => replica.says(readiness(name))))
    return replica
  }

  beforeAll(async () => {
    const witness = await openWitness()
    const { url: store } = await openDatabase()
    const old = {
      command: process.execPath,
      args: [fixtureFile(), '--era', 'legacy', '--stdio'],
      trust: 'trusted',
    }
    const things = new ScriptedServer('things', witness, TRIO)
    site = new Site({ store, confirm: {}, mcpServers: { things: things.config, old } })
    const scope = ['--permissions', 'read,write,destructive', '--servers', '*', '--rate', '1000/m']
    const made = await hintgate(['tokens', 'create', 'bot', ...scope, '--json', ...site.flags], {
      env: { HINTGATE_SECRET_KEY: key },
    })
    token = (JSON.parse(made.stdout) as { token: string }).token
    replicas.push(await startReplica(), await startReplica())
    url = await startBalancer(() => replicas.map(replica => replica.url))
  })
  afterAll(cleanUp)

  const at = (server: string) => `${url}/mcp/servers/${server}`

  it('keep a legacy session on whichever replica its requests arrive', async () => {
    const client = await new LegacyClient(at('things'), token).initialize()
    for (let i = 0; i < 6; i++) expect(textOf(await client.call('letters', { i }))).toContain(`${i}`)
    const streams = [await client.listen(), await client.listen()]
    expect(streams.map(({ status }) => status).sort()).toEqual([200, 409])
    for (const stream of streams) stream.close()
    expect((await client.end()).status).toBe(200)
    for (let i = 0; i < 2; i++) {
      const late = client.open('tools/list')
      await late.closed
      expect(late.status).toBe(404)
    }
  })

  it.each([SDK_V1, SDK_V2_LEGACY])(
    'serve the official client, including questions during a call: $name',
    async sdk => {
      const client = await sdk.create({ capabilities: { elicitation: {} } })
      client.setRequestHandler((await sdk.schema('elicitation/create')) as never, async () => ({
        action: 'accept',
        content: { username: 'Ada', email: 'ada@example.test' },
      }))
      await client.connect(await sdk.http(at('old'), token))
      for (let i = 0; i < 3; i++) {
        const answer = await client.callTool({ name: 'test_elicitation', arguments: { message: 'Who?' } })
        expect(JSON.stringify(answer)).toContain('Ada')
      }
      await client.close()
    },
  )

  it('continue a parked modern call on the replica where it is parked', async () => {
    const client = new ModernClient(at('old'), token, { elicitation: { form: {} } })
    const params = { name: 'test_elicitation', arguments: { message: 'Who are you?' } }
    for (let i = 0; i < 2; i++) {
      // One request in between, so that the answer arrives at the other replica.
      const asking = await client.request('tools/call', params)
      const { inputRequests, requestState } = asking.result as { inputRequests: object; requestState: string }
      await client.request('tools/list')
      const inputResponses = Object.fromEntries(
        Object.keys(inputRequests).map(name => [name, { action: 'accept', content: { username: 'Ada' } }]),
      )
      for (let turn = 0; turn < i; turn++) await client.request('tools/list')
      const answer = await client.request('tools/call', { ...params, inputResponses, requestState })
      expect(textOf(answer)).toContain('Ada')
    }
  })

  it('share rate limits', async () => {
    const scope = ['--permissions', 'read', '--servers', '*', '--rate', '5/h']
    const made = await hintgate(['tokens', 'create', 'slow', ...scope, '--json', ...site.flags], {
      env: { HINTGATE_SECRET_KEY: key },
    })
    const slow = new ModernClient(at('things'), (JSON.parse(made.stdout) as { token: string }).token)
    const answers = await Promise.all(Array.from({ length: 20 }, () => slow.call('letters', {})))
    const codes = answers.map(refusalOf)
    expect(codes.filter(code => code === undefined)).toHaveLength(5)
    expect(codes.filter(code => code === 'rate_limited')).toHaveLength(15)
  })

  it('share the three risk factors of one session', async () => {
    const [one, other] = replicas.map(replica => new ModernClient(replica.endpoint('things'), token))
    const inSession = { _meta: { 'io.hintgate/session': 'over-both' } }
    const call = (client: ModernClient | undefined, name: string) =>
      client?.request('tools/call', { name, arguments: {}, ...inSession }) ?? Promise.reject()
    // Both know the session before it has any risk factor.
    for (const client of [one, other]) await call(client, 'echo')
    await call(one, 'fetch')
    await call(other, 'letters')
    for (const client of [one, other])
      expect(refusalOf(await call(client, 'send'))).toBe('confirmation_required')
  })

  it('give a session only to its owner, and ignore a forged routing mark', async () => {
    const owner = await new LegacyClient(at('things'), token).initialize()
    const made = await hintgate(
      ['tokens', 'create', 'thief', '--permissions', 'read', '--servers', '*', '--json', ...site.flags],
      { env: { HINTGATE_SECRET_KEY: key } },
    )
    const thief = new LegacyClient(at('things'), (JSON.parse(made.stdout) as { token: string }).token)
    thief.session = owner.session
    let strangers = 0
    const trap = createServer(socket => {
      strangers += 1
      socket.destroy()
    })
    later(() => trap.close())
    await new Promise<void>(resolve => trap.listen(0, '127.0.0.1', resolve))
    const { port } = trap.address() as { port: number }
    const lost = new LegacyClient(at('things'), token)
    const forged = `http://127.0.0.1:${port}`
    for (const session of [
      `x~${forged}`,
      `x~${Buffer.from(forged).toString('base64url')}`,
      `${owner.session}A`,
    ]) {
      lost.session = session
      const reply = lost.open('tools/list')
      await reply.closed
      expect(reply.status).toBe(404)
    }
    for (let i = 0; i < 2; i++) {
      const reply = thief.open('tools/list')
      await reply.closed
      expect(reply.status).toBe(404)
    }
    expect(strangers).toBe(0)
    const anonymous = await send(at('things'), {
      body: '{}',
      headers: { 'content-type': 'application/json', 'mcp-session-id': owner.session, 'hintgate-hop': '1' },
    })
    expect(anonymous.status).toBe(401)
  })

  it('refuse to start with another key than the others', async () => {
    await new ModernClient(at('things'), token).call('letters', {})
    const env = { HINTGATE_SECRET_KEY: randomBytes(32).toString('hex') }
    const { code, stderr } = await hintgate(['serve', '--listen', '127.0.0.1:0', ...site.flags], { env })
    expect(code).toBe(1)
    expect(stderr).toContain('HINTGATE_SECRET_KEY')
  })

  it('lose only the sessions of a killed replica, whose clients start new ones', async () => {
    const clients = await Promise.all(
      Array.from({ length: 4 }, () => new LegacyClient(at('things'), token).initialize()),
    )
    const [killed] = replicas.splice(0, 1)
    await killed?.stop('SIGKILL')
    const statuses = await Promise.all(
      clients.map(async client => {
        const reply = client.open('tools/call', { name: 'letters', arguments: {} })
        await reply.closed
        return reply.status
      }),
    )
    expect(new Set(statuses)).toEqual(new Set([200, 404]))
    const again = await new LegacyClient(at('things'), token).initialize()
    expect(textOf(await again.call('letters', {}))).toContain('letters')
  })
})
