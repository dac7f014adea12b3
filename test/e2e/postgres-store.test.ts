import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { approve, waitingFor } from '../support/confirming.ts'
import { readiness, Site, startGatewayAt } from '../support/gateway.ts'
import { type Finished, hintgate } from '../support/hintgate.ts'
import { hasPostgres, openDatabase } from '../support/postgres.ts'
import { ModernClient, textOf } from '../support/raw-mcp.ts'
import { DESTROYS, ScriptedServer, scripted } from '../support/scripted-server.ts'
import { EVERYTHING } from '../support/search-client.ts'
import { openWitness } from '../support/witness.ts'

const tools = [scripted('destroy', { annotations: DESTROYS }), scripted('read')]

describe.skipIf(!hasPostgres())('hintgate store', () => {
  let site: Site
  let token: string
  let url: string
  let config: Record<string, unknown>
  const run = (...args: string[]): Promise<Finished> => hintgate(['store', ...args], { cwd: site.folder })
  const source = (): string => `sqlite:${join(site.home, 'hintgate.db')}`

  beforeAll(async () => {
    const witness = await openWitness()
    const things = new ScriptedServer('things', witness, tools)
    config = { quarantine: true, confirm: {}, mcpServers: { things: things.config } }
    site = new Site({ ...config, store: 'sqlite:home/hintgate.db' })
    url = (await openDatabase()).url
    token = await site.token({ permissions: EVERYTHING })
  })
  afterAll(cleanUp)

  async function startGateway() {
    const gateway = await startGatewayAt(site)
    await gateway.says(readiness('things'))
    return { gateway, client: new ModernClient(gateway.endpoint('things'), token) }
  }

  it('migrates an empty database and reports it', async () => {
    const made = await run('migrate', '--store', url)
    expect([made.code, made.stderr]).toEqual([0, ''])
    expect(made.stdout).toMatch(/^postgres:\/\/\S+ is ready: schema version \d+\.\n$/)
    expect((await run('migrate', '--store', url)).stdout).toContain('is up to date')
    const { stdout } = await run('migrate', '--store', url, '--json')
    const { from, to } = JSON.parse(stdout) as { from: number; to: number }
    expect(from).toBe(to)
  })

  it('migrates SQLite as well', async () => {
    const made = await run('migrate', '--store', 'sqlite:new.db')
    expect(made).toMatchObject({
      code: 0,
      stderr: '',
      stdout: expect.stringMatching(/new\.db is ready: schema/),
    })
    expect((await run('migrate', '--store', 'sqlite:new.db')).stdout).toContain('is up to date')
  })

  it('copies everything from SQLite, and the gateway continues there', async () => {
    const before = await startGateway()
    const { id } = waitingFor(await before.client.call('destroy', { id: 'asked before' }))
    expect(textOf(await before.client.call('read', { id: 'one' }))).toContain('one')
    await before.gateway.stop()
    const copied = await run('copy', '--from', source(), '--to', url, '--json')
    expect([copied.code, copied.stderr]).toEqual([0, ''])
    const counts = JSON.parse(copied.stdout) as Record<string, number>
    expect(counts).toMatchObject({ tokens: 1, approvals: 1, definitions: 3, definition_versions: 3 })
    expect(counts.audit_rows).toBeGreaterThanOrEqual(2)

    site.configure({ ...config, store: url })
    const after = await startGateway()
    await approve(site, id)
    expect(textOf(await after.client.call('destroy', { id: 'asked before' }))).toContain('asked before')
    const verified = await hintgate(['audit', 'verify', '--json', ...site.flags])
    expect([verified.code, JSON.parse(verified.stdout)]).toMatchObject([0, { problems: [] }])
    const { stdout } = await hintgate(['audit', 'query', '--json', ...site.flags])
    expect(stdout).toContain('"read"')
    await after.gateway.stop()
  })

  it('refuses to copy to a database that is not empty', async () => {
    const { code, stdout, stderr } = await run('copy', '--from', source(), '--to', url)
    expect([code, stdout]).toEqual([1, ''])
    expect(stderr).toContain('is not empty: there are tokens')
  })

  it('reports invalid flags, and shows no password', async () => {
    const password = 'postgres://hintgate:hunter2@127.0.0.1:1/hintgate'
    const unreachable = await run('migrate', '--store', password)
    expect(unreachable.code).toBe(1)
    expect(unreachable.stderr).toMatch(/cannot be reached.*\n {2}fix: /)
    const odd = await run('copy', '--from', 'sqlite:nowhere.db', '--to', url)
    expect([odd.code, odd.stderr]).toEqual([2, expect.stringContaining('nowhere.db does not exist')])
    expect(await run('copy', '--from', source(), '--to', 'mysql://a')).toMatchObject({ code: 2 })
    expect(await run('copy', '--from', source())).toMatchObject({ code: 2 })
    expect(`${unreachable.stdout}${unreachable.stderr}`).not.toContain('hunter2')
  })
})
