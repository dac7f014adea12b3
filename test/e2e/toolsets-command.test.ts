import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, startStdioGateway } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { type Json, toolNames } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted, WRITES } from '../support/scripted-server.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const KEY = 'k3y-that-only-the-server-needs'
const TOOLS = [
  scripted('get_contact'),
  scripted('list_all'),
  scripted('create_task', {
    annotations: WRITES,
    inputSchema: { type: 'object', properties: { workspace: {}, apiKey: {}, title: {} } },
  }),
]

let witness: Witness
let gateway: Gateway

beforeAll(async () => {
  witness = await openWitness()
  process.env.SETS_TEST_KEY = KEY
  gateway = await startReadyGateway({
    mcpServers: { crm: new ScriptedServer('crm', witness, TOOLS).config },
    toolsets: {
      support: {
        instructions: 'Be kind.',
        select: ['crm:get_*', 'crm:create_task'],
        overrides: {
          'crm:get_contact': { name: 'find', title: 'Find', description: 'Finds.', author: 'ada' },
          'crm:create_task': {
            name: 'add',
            arguments: { workspace: 'acme', apiKey: `$${'{env:SETS_TEST_KEY}'}` },
            fingerprint: 'f'.repeat(64),
          },
          'crm:gone': { title: 'Gone' },
        },
      },
      clashing: { select: ['crm:*'], overrides: { 'crm:list_all': { name: 'crm__get_contact' } } },
      searched: { surface: 'search', select: ['crm:get_*'] },
    },
  })
})
afterAll(() => {
  delete process.env.SETS_TEST_KEY
  return cleanUp()
})

const sets = (...args: readonly string[]): Promise<Finished> =>
  hintgate(['sets', ...args, ...gateway.site.flags])

describe('hintgate sets', () => {
  it('lists the sets, and names both owners of a name that collides', async () => {
    const { code, stdout } = await sets('list', '--json')
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject([
      { name: 'support', path: '/mcp/sets/support', surface: 'direct', tools: 2, held: 0 },
      { name: 'clashing', tools: 2, held: 2, problems: [{ tools: ['crm:get_contact', 'crm:list_all'] }] },
      { name: 'searched', surface: 'search', tools: 1 },
    ])
    expect((await sets('list')).stdout).toMatch(/held {2}clashing: crm:get_contact, crm:list_all: they have/)
  })

  it('shows an override beside the pinned definition, without secrets', async () => {
    const { stdout } = await sets('show', 'support', '--json')
    const { listed, problems } = JSON.parse(stdout) as { listed: Json[]; problems: Json[] }
    expect(listed.toSorted((a, b) => (String(a.id) > String(b.id) ? -1 : 1))).toMatchObject([
      {
        name: 'find',
        id: 'crm:get_contact',
        description: 'Finds.',
        pinned: {
          description: 'The tool get_contact.',
          fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/),
        },
        override: { author: 'ada', fingerprint: expect.stringMatching(/^[0-9a-f]{64}$/) },
      },
      { name: 'add', override: { author: 'config', arguments: { workspace: 'acme', apiKey: '[masked]' } } },
    ])
    expect(problems).toMatchObject([
      { tools: ['crm:create_task'], state: 'flagged', why: expect.stringContaining('another version') },
      { tools: ['crm:gone'], state: 'flagged' },
    ])
    const text = (await sets('show', 'support')).stdout
    expect(text).toMatch(/pinned description +The tool get_contact\./)
    expect(text + stdout).not.toContain(KEY)
  })

  it('is named by the command that shows a tool', async () => {
    const { stdout } = await hintgate(['tools', 'show', 'crm:get_contact', ...gateway.site.flags])
    expect(stdout).toMatch(/^ {2}support +find +override \w+ by ada$/m)
    expect(stdout).toMatch(/^ {2}searched +crm__get_contact$/m)
  })

  it('tries a set: lists, searches and calls', async () => {
    const listed = await sets('try', 'support', '--json')
    expect((JSON.parse(listed.stdout) as Json[]).map(({ name }) => name)).toEqual(['find', 'add'])
    const called = await sets('try', 'support', 'add', '{"title":"x"}')
    expect(called).toMatchObject({ code: 0, stdout: expect.stringContaining('"workspace":"acme"') })
    expect((await sets('try', 'searched', 'get', 'contact')).stdout).toContain('crm__get_contact')
    const token = await gateway.site.token({ sets: 'support' })
    const remote = await sets('try', 'support', 'find', '--url', gateway.url, '--token', token)
    expect(remote.stdout).toContain('get_contact')
  })

  it('explains an unknown set', async () => {
    for (const args of [
      ['show', 'suport'],
      ['try', 'suport'],
    ]) {
      const { code, stderr } = await sets(...args)
      expect(code).toBe(2)
      expect(stderr).toContain('There is no toolset named suport')
    }
  })

  it('has its problems in doctor', async () => {
    const { stdout } = await hintgate(['doctor', '--json', ...gateway.site.flags])
    const { findings } = JSON.parse(stdout) as { findings: Json[] }
    expect(findings).toContainEqual(
      expect.objectContaining({ code: 'toolset_held', text: expect.stringContaining('crm:list_all') }),
    )
    expect(findings).toContainEqual(expect.objectContaining({ code: 'toolset_flagged' }))
  })
})

describe('a token for sets', () => {
  it('is described with them, and a name that no set has is only a warning', async () => {
    const made = await hintgate([
      ...['tokens', 'create', 'helper', '--permissions', 'read', '--sets', 'support,suport'],
      ...gateway.site.flags,
    ])
    expect(made.code).toBe(0)
    expect(made.stdout).toContain('toolsets     support, suport')
    expect(made.stderr).toContain('no toolset is named "suport"')
    const { stdout } = await hintgate(['tokens', 'show', 'helper', '--json', ...gateway.site.flags])
    expect(JSON.parse(stdout)).toMatchObject({ sets: ['support', 'suport'] })
  })
})

describe('hintgate stdio --set', () => {
  it('serves one set', async () => {
    const running = startStdioGateway(gateway.site, ['--set', 'support'])
    const client = new StdioClient(running)
    await client.initialize()
    expect(toolNames(await client.request('tools/list'))).toEqual(['find', 'add'])
  })
})
