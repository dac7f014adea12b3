import { chmodSync, existsSync, readFileSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { openDatabase } from '../../packages/gateway/src/store/sqlite/open-database.ts'
import { cleanUp, later } from '../support/clean-up.ts'
import { findFreePort } from '../support/free-port.ts'
import { Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'

afterAll(cleanUp)

/** A config with a server that is not started, and a port that is always free. */
const ANYWHERE = {
  quarantine: true,
  listen: '127.0.0.1:0',
  mcpServers: { idle: { command: process.execPath, lazy: true } },
}

interface Told {
  readonly ok: boolean
  readonly findings: readonly { code: string; level: string; text: string; fix: string }[]
  readonly repairs: readonly { code: string; command: string; outcome: string; why?: string }[]
}

async function doctor(site: Site, ...flags: readonly string[]): Promise<Told & { exit: number | null }> {
  const { stdout, stderr, code } = await hintgate(['doctor', '--json', ...flags, ...site.flags])
  if (stdout === '') throw new Error(stderr)
  const told = JSON.parse(stdout) as Told
  // Whether Node is old depends on where and when the tests run.
  const findings = told.findings.filter(({ code }) => code !== 'node_old')
  return { ...told, findings, exit: code }
}

const codesOf = ({ findings }: Told): string[] => findings.map(({ code }) => code).toSorted()
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8)

/** A site with a store and a key. */
async function livedIn(config: object = ANYWHERE): Promise<Site> {
  const site = new Site({ ...config })
  await site.token()
  return site
}

describe('file permissions', () => {
  it('are reported with a chmod, and changed only by --fix', async () => {
    const site = await livedIn()
    const key = join(site.home, 'secret.key')
    const draft = join(site.home, 'secret.key.12.0123456789ab')
    writeFileSync(draft, 'x', { mode: 0o600 })
    utimesSync(draft, 0, 0)
    expect(codesOf(await doctor(site))).toEqual(['leftover'])
    for (const [path, mode] of [
      [site.home, 0o755],
      [key, 0o644],
      [site.configFile, 0o666],
    ] as const)
      chmodSync(path, mode)
    const wrong = ['config_writable', 'home_exposed', 'leftover', 'secret_key_exposed']
    for (const flags of [[], ['--dry-run'], ['--fix', '--dry-run']]) {
      const told = await doctor(site, ...flags)
      expect([told.exit, codesOf(told), new Set(told.repairs.map(({ outcome }) => outcome))]).toEqual([
        1,
        wrong,
        new Set(['planned']),
      ])
      expect(told.findings.find(({ code }) => code === 'secret_key_exposed')?.fix).toBe(`chmod 600 ${key}`)
    }
    expect([modeOf(key), existsSync(draft)]).toEqual(['644', true])
    const mended = await doctor(site, '--fix')
    expect(mended.repairs.map(({ code, outcome }) => `${code} ${outcome}`).toSorted()).toEqual(
      wrong.map(code => `${code} done`),
    )
    expect([modeOf(site.home), modeOf(key), modeOf(site.configFile)]).toEqual(['700', '600', '664'])
    expect([existsSync(draft), codesOf(mended), (await doctor(site)).findings]).toEqual([false, [], []])
  })

  it('are shown as text before and after the fix', async () => {
    const site = await livedIn()
    const key = join(site.home, 'secret.key')
    chmodSync(key, 0o640)
    const before = await hintgate(['doctor', ...site.flags])
    expect(before.stdout).toMatch(/^error .*secret key .*\n {2}fix: chmod 600 /)
    expect(before.stdout).toContain(`\`hintgate doctor --fix\` would run:\n  chmod 600 ${key}\n`)
    const after = await hintgate(['doctor', '--fix', ...site.flags])
    expect(after.stdout).toContain(`Fixed:\n  chmod 600 ${key}\n`)
    expect(after.stdout).not.toContain('would do')
  })
})

describe('the secret key', () => {
  it('is reported if it is invalid', async () => {
    const site = await livedIn()
    writeFileSync(join(site.home, 'secret.key'), 'changeme'.repeat(4))
    const told = await doctor(site)
    expect([told.exit, codesOf(told)]).toEqual([1, ['secret_key_weak']])
  })
})

describe('a missing home', () => {
  it('is created only by --fix, with access for this user alone', async () => {
    const site = new Site(ANYWHERE)
    expect(codesOf(await doctor(site))).toEqual(['home_missing'])
    expect(existsSync(site.home)).toBe(false)
    const { repairs } = await doctor(site, '--fix')
    expect(repairs).toEqual([
      { code: 'home_missing', command: `mkdir -p -m 700 ${site.home}`, outcome: 'done' },
    ])
    expect(modeOf(site.home)).toBe('700')
    expect(codesOf(await doctor(site))).toEqual([])
  })

  it('that cannot be created is reported with the reason', async () => {
    const site = new Site(ANYWHERE)
    writeFileSync(join(site.folder, 'file'), '')
    const { stdout, code } = await hintgate([
      ...['doctor', '--fix', '--json', '--config', site.configFile],
      ...['--home', join(site.folder, 'file', 'home')],
    ])
    const { repairs } = JSON.parse(stdout) as Told
    expect([code, repairs]).toEqual([
      1,
      [expect.objectContaining({ code: 'home_missing', outcome: 'failed', why: 'ENOTDIR' })],
    ])
  })
})

describe('the port', () => {
  it('is an error if another process uses it, but not our own gateway', async () => {
    const port = await findFreePort()
    const site = await livedIn({ ...ANYWHERE, listen: `127.0.0.1:${port}` })
    expect(codesOf(await doctor(site))).toEqual([])
    const other = await listen(port)
    const taken = await doctor(site)
    expect([taken.exit, codesOf(taken)]).toEqual([1, ['port_taken']])
    expect(taken.findings[0]?.text).toContain(`127.0.0.1:${port}`)
    if (process.platform === 'linux') expect(taken.findings[0]?.fix).toContain(`kill ${process.pid})`)
    await new Promise(resolve => other.close(resolve))
    const gateway = await startGatewayAt(site, {}, `127.0.0.1:${port}`)
    const running = await doctor(site)
    if (process.platform === 'linux') {
      expect([running.exit, codesOf(running)]).toEqual([0, ['gateway_running']])
      expect(running.findings[0]?.text).toContain(`process ${gateway.pid} `)
      const stranger = await livedIn({ ...ANYWHERE, listen: `127.0.0.1:${port}` })
      expect((await doctor(stranger)).findings).toEqual([
        expect.objectContaining({ code: 'port_taken', text: expect.stringContaining('another store') }),
      ])
    }
    await gateway.stop()
  })
})

describe('the store', () => {
  const fileOf = (site: Site): string => join(site.home, 'data', 'hintgate.db')
  const change = (site: Site, sql: string): void => {
    const database = openDatabase(fileOf(site))
    database.exec(sql)
    database.close()
  }

  it('with an older schema is not changed', async () => {
    const site = await livedIn()
    change(site, 'pragma user_version = 3')
    const told = await doctor(site, '--fix')
    expect([told.exit, codesOf(told), told.findings[0]?.fix]).toEqual([
      1,
      ['store_older'],
      'run hintgate store migrate',
    ])
    expect(codesOf(await doctor(site))).toEqual(['store_older'])
  })

  it('with events in the future shows that the clock is wrong', async () => {
    const site = await livedIn()
    change(site, `update tokens set created_at = ${Date.now() + 3_600_000}`)
    const told = await doctor(site)
    expect([told.exit, codesOf(told)]).toEqual([1, ['clock_wrong']])
  })

  it('that is damaged is reported and not changed', async () => {
    const site = await livedIn()
    const bytes = readFileSync(fileOf(site))
    bytes.fill(0xee, bytes.length - 3 * 4096)
    writeFileSync(fileOf(site), bytes)
    const told = await doctor(site, '--fix')
    expect([told.exit, codesOf(told)]).toEqual([1, ['store_corrupt']])
    expect(readFileSync(fileOf(site)).equals(bytes)).toBe(true)
  })

  it('with expired results loses them by --fix', async () => {
    const site = await livedIn()
    const row = `'h', 'o', 's:t', 1, 2, 2, '{}'`
    change(
      site,
      `insert into results (handle, owner, tool, created_at, expires_at, size, body) values (${row})`,
    )
    expect(codesOf(await doctor(site))).toEqual(['results_expired'])
    expect((await doctor(site, '--fix')).repairs).toEqual([expect.objectContaining({ outcome: 'done' })])
    expect(codesOf(await doctor(site))).toEqual([])
  })
})

describe('a server that answers 401', () => {
  it('is reported with a sign-in as the fix if it has "oauth", otherwise with a header', async () => {
    const url = await refusing()
    const site = await livedIn({ ...ANYWHERE, mcpServers: { plain: { url }, web: { url, oauth: true } } })
    const told = await doctor(site, '--connect')
    expect([told.exit, codesOf(told)]).toEqual([1, ['server_unauthorized', 'server_unauthorized']])
    expect(told.findings.map(({ fix }) => fix)).toEqual([
      expect.stringContaining(`"Authorization": "Bearer \${env:PLAIN_TOKEN}"`),
      'sign in with hintgate servers login web',
    ])
  })
})

describe('secrets in the config', () => {
  it('are reported with their location, without their value', async () => {
    const secret = 'sk-live-4f9aZ81kQ0pLm27Xc5Vb'
    const entry = { url: 'https://crm.example/mcp', headers: { Authorization: `Bearer ${secret}` } }
    const site = await livedIn({ ...ANYWHERE, mcpServers: { crm: entry } })
    chmodSync(site.configFile, 0o644)
    const told = await doctor(site)
    expect([told.exit, codesOf(told)]).toEqual([1, ['secret_in_config']])
    expect(told.findings[0]?.text).toMatch(/hintgate\.json:\d+:\d+: mcpServers\.crm\.headers\.Authorization /)
    expect(JSON.stringify(told)).not.toContain(secret)
    chmodSync(site.configFile, 0o600)
    expect((await doctor(site)).exit).toBe(0)
  })
})

function listen(port: number, answer = 404): Promise<Server> {
  return new Promise(resolve => {
    const server = createServer((_, res) => res.writeHead(answer).end())
    later(() => server.close())
    server.listen(port, '127.0.0.1', () => resolve(server))
  })
}

async function refusing(): Promise<string> {
  const server = await listen(0, 401)
  return `http://127.0.0.1:${(server.address() as { port: number }).port}/mcp`
}
