import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { httpServer, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, LegacyClient, ModernClient, send } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { play, type Scene } from './scene.ts'

// No error, log, metric or page reveals a secret, whatever goes wrong.

const SECRETS = {
  header: 'upstream-header-secret-4711',
  env: 'child-environment-secret-4712',
  query: 'query-of-the-address-secret-4713',
  argument: ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_'),
}

let scene: Scene
let witness: Witness
let admin: string
const seen: string[] = []

beforeAll(async () => {
  witness = await openWitness()
  const headers = { authorization: `Bearer ${SECRETS.header}` }
  scene = await play([scripted('read')], {
    mcpServers: {
      web: await httpServer('web', witness, [], { headers }),
      gone: { url: `http://127.0.0.1:9/mcp?key=${SECRETS.query}`, headers, timeout: '2s' },
      dies: stdioServer('dies', witness, ['--start', 'exit'], { env: { KEY: SECRETS.env }, lazy: true }),
      missing: { command: '/nowhere/at/all', env: { KEY: SECRETS.env }, lazy: true },
    },
  })
  const made = await hintgate(['tokens', 'create', 'boss', '--admin', '--json', ...scene.gateway.site.flags])
  admin = (JSON.parse(made.stdout) as { token: string }).token
})
afterAll(cleanUp)

/** Everything that an agent and an admin can request, valid and invalid. */
async function askEverything(): Promise<void> {
  const { url } = scene.gateway
  // The caller may see the answer of its tool, but records must not contain it.
  await new ModernClient(`${url}/mcp/servers/s`, scene.token).call('read', { token: SECRETS.argument })
  for (const server of ['s', 'web', 'gone', 'dies', 'missing', 'nobody']) {
    const client = new ModernClient(`${url}/mcp/servers/${server}`, scene.token)
    for (const name of ['echo', 'exit', 'nothing']) {
      const reply = client.openCall(name, {})
      await reply.closed
      seen.push(reply.text)
    }
    const found = await new ModernClient(`${url}/mcp`, scene.token).call('describe_tool', {
      name: `${server}:read`,
    })
    seen.push(JSON.stringify(found))
  }
  const legacy = await new LegacyClient(`${url}/mcp/direct`, scene.token).initialize()
  seen.push(
    JSON.stringify([legacy.greeting, await legacy.request('tools/list'), await legacy.request('x/y')]),
  )
  const pages = [
    '/metrics',
    '/readyz',
    '/healthz',
    '/nothing',
    '/api/v1/servers',
    '/api/v1/servers/web',
    '/api/v1/servers/gone',
    '/api/v1/servers/dies',
    '/api/v1/activity',
    '/api/v1/agents',
    '/api/v1/overview',
    '/api/v1/doctor',
    '/api/v1/config/problems',
    '/api/v1/openapi.json',
  ]
  for (const token of [admin, scene.token, 'hg_agent_wrong'])
    for (const path of pages) {
      const reply = await send(`${url}${path}`, { method: 'GET', headers: bearer(token) })
      seen.push(`${path} ${reply.status} ${JSON.stringify(reply.headers)} ${reply.text}`)
    }
  for (const command of [
    ['servers', 'list'],
    ['tokens', 'list'],
    ['audit', 'query'],
    ['doctor'],
    ['tools', 'list'],
  ]) {
    const { stdout, stderr } = await hintgate([...command, ...scene.gateway.site.flags])
    seen.push(stdout, stderr)
  }
}

describe('a secret', () => {
  it('appears in no answer, page, command or log', async () => {
    await askEverything()
    const { stderr, stdout } = scene.gateway
    const all = [...seen, ...stderr.items, ...stdout.items].join('\n')
    // Proves that something was requested.
    expect(all.length).toBeGreaterThan(10_000)
    expect(all).toContain('hintgate_')
    const hidden = {
      ...SECRETS,
      agent: scene.token.slice('hg_agent_'.length),
      admin: admin.slice('hg_admin_'.length),
    }
    for (const [what, secret] of Object.entries(hidden)) {
      const line = all.split('\n').find(text => text.includes(secret))
      expect([what, line?.slice(0, 300)]).toEqual([what, undefined])
    }
  })

  it('for a server is sent to that server', async () => {
    expect(JSON.stringify(witness.of('web', 'request'))).toContain(SECRETS.header)
  })
})

describe('an error for an agent', () => {
  it('contains no file, path or line of the gateway', () => {
    const toAgents = seen.filter(text => text.includes('"error"')).join('\n')
    expect(toAgents).not.toMatch(/\/dist\/|\/src\/|node_modules|\.[jt]s:\d+|at \w+ \(/)
  })
})
