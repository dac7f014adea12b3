import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Server, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, type Headers, LegacyClient, ModernClient, send } from '../support/raw-mcp.ts'
import { scripted } from '../support/scripted-server.ts'
import { openWitness, type Witness } from '../support/witness.ts'
import { play, type Scene } from './scene.ts'

// Registering or testing a server can start a program, so only an admin may do it (Bifrost CVE-2026-90898, LiteLLM
// CVE-2026-42271, MCPHub CVE-2026-79748, MetaMCP CVE-2026-79538, Inspector CVE-2025-49596).

let scene: Scene
let witness: Witness
let people: Record<'viewer' | 'approver' | 'operator' | 'admin', string>

beforeAll(async () => {
  witness = await openWitness()
  scene = await play([scripted('read')])
  const person = async (role: string): Promise<string> => {
    const made = await hintgate([
      'tokens',
      'create',
      role,
      '--admin',
      '--role',
      role,
      '--json',
      ...scene.gateway.site.flags,
    ])
    return (JSON.parse(made.stdout) as { token: string }).token
  }
  people = {
    viewer: await person('viewer'),
    approver: await person('approver'),
    operator: await person('operator'),
    admin: await person('admin'),
  }
})
afterAll(cleanUp)

const evil = (): Server => stdioServer('spawned', witness)

/** Every route of the admin API that can start a program. */
const ROUTES = [
  ['POST', '/api/v1/servers', () => ({ name: 'evil', config: evil() })],
  ['POST', '/api/v1/servers/test', () => ({ config: evil() })],
  ['POST', '/api/v1/servers/test', () => ({ name: 's', config: evil() })],
  ['PUT', '/api/v1/servers/s', () => ({ config: evil() })],
  ['POST', '/api/v1/servers/s/restart', () => ({})],
  ['PUT', '/api/v1/servers/s/trust', () => ({ trust: 'trusted' })],
] as const

const ask = (method: string, path: string, { headers, body }: { headers: Headers; body: unknown }) =>
  send(`${scene.gateway.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', 'if-match': '*', ...headers },
    body: JSON.stringify(body),
  })

/** No program was started, and the config names none that would be. */
function expectNothing(starts: number): void {
  expect(witness.of('spawned', 'started')).toEqual([])
  expect(scene.witness.of(scene.server.name, 'started').length).toBe(starts)
  expect(readFileSync(scene.gateway.site.configFile, 'utf8')).not.toContain('spawned')
}

describe('a route that can start programs', () => {
  it.each([
    ['a client without a token', 401, () => ({})],
    ['a wrong token', 401, () => bearer(`hg_admin_${'A'.repeat(43)}`)],
    ['an agent that may do everything', 403, () => bearer(scene.token)],
    ['a viewer', 403, () => bearer(people.viewer)],
    ['an approver', 403, () => bearer(people.approver)],
    ['an operator', 403, () => bearer(people.operator)],
    ['an invented cookie', 401, () => ({ cookie: `hintgate_session=${scene.token}` })],
  ])('refuses %s and starts no program', async (_who, status, headers) => {
    const starts = scene.witness.of(scene.server.name, 'started').length
    for (const [method, path, body] of ROUTES) {
      const reply = await ask(method, path, { headers: headers(), body: body() })
      expect([method, path, reply.status]).toEqual([method, path, status])
    }
    expectNothing(starts)
  })

  it.each([
    'NODE_OPTIONS',
    'node_options',
    'LD_PRELOAD',
    'LD_AUDIT',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'npm_config_node_options',
  ])('refuses %s even from an admin, and starts no program', async name => {
    const starts = scene.witness.of(scene.server.name, 'started').length
    for (const more of [{}, { allowUnsafeEnv: true }]) {
      for (const [method, path, body] of ROUTES.slice(0, 4)) {
        const made = body()
        const config = { ...evil(), env: { [name]: '--require /tmp/evil.js' }, ...more }
        const reply = await ask(method, path, { headers: bearer(people.admin), body: { ...made, config } })
        expect([method, path, (JSON.parse(reply.text) as { code?: string }).code]).toEqual([
          method,
          path,
          'refused',
        ])
      }
    }
    expectNothing(starts)
  })

  it('starts the program for an admin', async () => {
    const [method, path, body] = ROUTES[1]
    const reply = await ask(method, path, { headers: bearer(people.admin), body: body() })
    expect([reply.status, JSON.parse(reply.text)]).toMatchObject([200, { ok: true }])
    await witness.saw('spawned', 'started')
  })
})

describe('an agent', () => {
  it('cannot start a program by any method of the protocol', async () => {
    const starts = scene.witness.of(scene.server.name, 'started').length
    const before = witness.of('spawned', 'started').length
    const { command, args } = evil() as { command: string; args: string[] }
    const params = {
      name: 'evil',
      command,
      args,
      config: { command, args },
      server: { command, args },
      uri: 'stdio:evil',
    }
    for (const path of ['/mcp', '/mcp/direct', '/mcp/servers/s']) {
      const modern = new ModernClient(`${scene.gateway.url}${path}`, scene.token)
      for (const method of [
        'servers/add',
        'servers/test',
        'server/discover',
        'tools/call',
        'resources/read',
        'completion/complete',
      ])
        await modern.request(method, params)
      const legacy = await new LegacyClient(modern.url, scene.token).initialize()
      for (const method of ['servers/add', 'tools/call', 'roots/list', 'sampling/createMessage'])
        await legacy.request(method, params)
    }
    expect(witness.of('spawned', 'started').length).toBe(before)
    expect(scene.witness.of(scene.server.name, 'started').length).toBe(starts)
  })
})

describe('a config edit while the gateway runs', () => {
  it.each(['NODE_OPTIONS', 'LD_PRELOAD'])(
    'with %s is refused, the old config stays in use, and no program is started',
    async name => {
      const { gateway, server } = scene
      const before = witness.of('spawned', 'started').length
      gateway.site.configure({
        mcpServers: { s: server.config, evil: { ...evil(), env: { [name]: '/tmp/evil' } } },
      })
      await gateway.says(new RegExp(`${name} would load code into the server`))
      expect(witness.of('spawned', 'started').length).toBe(before)
      expect((await scene.arrived()).length).toBeGreaterThanOrEqual(0)
      gateway.site.configure({ mcpServers: { s: server.config } })
    },
  )
})
