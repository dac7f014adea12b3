import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, type Server, startGateway, startReadyGateway } from '../support/gateway.ts'
import { ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'

// A server process gets only the data of the gateway that it was given, and has no access to the gateway.

const KEY = Buffer.from(Array.from({ length: 32 }, (_, at) => (at * 89 + 7) % 251)).toString('base64')
const OURS = {
  HINTGATE_SECRET_KEY: KEY,
  HINTGATE_TOKEN: 'hg_admin_of-the-operator',
  DATABASE_URL: 'postgres://me:parents-password@db.example/x',
  AWS_SECRET_ACCESS_KEY: 'parents-aws-key',
  NODE_OPTIONS: '--no-deprecation',
}
const nosy = (more: Server = {}): Server => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('servers/nosy.mjs', import.meta.url))],
  trust: 'trusted',
  ...more,
})

interface Looked {
  readonly env: Record<string, string>
  readonly openFiles: readonly string[]
  readonly group: number
  readonly pid: number
  readonly limits: string
  readonly visits: readonly { path: string; method: string; status: number }[]
}

const isLinux = process.platform === 'linux'
let gateway: Gateway
let token: string
let tools: string

beforeAll(async () => {
  tools = mkdtempSync(join(tmpdir(), 'hintgate-tools-'))
  later(() => rmSync(tools, { recursive: true, force: true }))
  // Replaces bubblewrap, which may not be installed: records its arguments and runs the command after `--`.
  const stand = `#!/bin/sh\necho "$@" > "${tools}/asked"\nwhile [ "$1" != "--" ]; do shift; done\nshift\nexec "$@"\n`
  writeFileSync(join(tools, 'bwrap'), stand)
  chmodSync(join(tools, 'bwrap'), 0o755)
  const mcpServers = {
    nosy: nosy({ env: { GIVEN: 'given' } }),
    boxed: nosy({ sandbox: { read: ['in'], write: ['out'] } }),
    ...(isLinux ? { limited: nosy({ resources: { openFiles: 77, cpu: '5m', memory: '1gb' } }) } : {}),
  }
  const PATH = `${tools}${delimiter}${process.env.PATH}`
  gateway = await startReadyGateway({ mcpServers }, { env: { ...OURS, PATH } })
  // The command must hash with the key of the gateway.
  process.env.HINTGATE_SECRET_KEY = KEY
  later(() => delete process.env.HINTGATE_SECRET_KEY)
  token = await gateway.site.token()
})
afterAll(cleanUp)

const PATHS = [
  '/api/v1/servers',
  '/api/v1/events',
  '/api/v1/approvals',
  '/api/v1/me',
  '/metrics',
  '/readyz',
  '/mcp',
  '/mcp/direct',
  '/mcp/servers/nosy',
]

async function look(server: string): Promise<Looked> {
  const client = new ModernClient(gateway.endpoint(server), token)
  return JSON.parse(textOf(await client.call('look', { gateway: gateway.url, paths: PATHS }))) as Looked
}

describe('a server that inspects its environment', () => {
  it('finds the variables that it was given, and no secret of the gateway', async () => {
    const { env } = await look('nosy')
    expect(env).toMatchObject({ GIVEN: 'given' })
    expect(Object.keys(env).filter(name => name in OURS)).toEqual([])
    for (const secret of [KEY, 'parents-', 'hg_admin_']) expect(JSON.stringify(env)).not.toContain(secret)
  })

  it.runIf(isLinux)('has no file of the gateway open, and has its own process group', async () => {
    const { openFiles, group, pid } = await look('nosy')
    expect(openFiles.filter(file => file.includes(gateway.site.folder))).toEqual([])
    expect(group).toBe(pid)
  })

  it('has no access to the gateway without a token', async () => {
    const { visits } = await look('nosy')
    expect(visits.length).toBe(PATHS.length * 3)
    expect(visits.filter(({ status }) => status !== 401)).toEqual([])
  })

  it.runIf(isLinux)('has the configured resource limits', async () => {
    const { limits } = await look('limited')
    expect(limits).toMatch(/Max open files +77 +77 /)
    expect(limits).toMatch(/Max cpu time +300 +300 /)
    expect(limits).toMatch(new RegExp(`Max data size +${1024 ** 3} +${1024 ** 3} `))
    expect((await look('nosy')).limits).not.toMatch(/Max open files +77 /)
  })

  it('runs in the configured sandbox', async () => {
    await look('boxed')
    const asked = readFileSync(join(tools, 'asked'), 'utf8')
    const { folder } = gateway.site
    expect(asked).toMatch(/^--unshare-all --die-with-parent /)
    expect(asked).toContain(`--ro-bind ${join(folder, 'in')} ${join(folder, 'in')}`)
    expect(asked).toContain(`--bind ${join(folder, 'out')} ${join(folder, 'out')}`)
    expect(asked).not.toContain(gateway.site.home)
    expect(asked).not.toContain('--share-net')
  })
})

describe('a server whose sandbox program is missing', () => {
  it('is not started, and the operator and the agent get the reason', async () => {
    const empty = mkdtempSync(join(tmpdir(), 'hintgate-empty-'))
    later(() => rmSync(empty, { recursive: true, force: true }))
    const bare = await startGateway(
      { mcpServers: { boxed: nosy({ sandbox: {} }), limited: nosy({ resources: { openFiles: 9 } }) } },
      { env: { PATH: empty } },
    )
    await bare.says(/boxed is down.*"sandbox" needs bubblewrap.*not on this machine; install it or remove/)
    await bare.says(/limited is down.*"resources" needs prlimit.*not on this machine/)
    const client = new ModernClient(bare.endpoint('boxed'), await bare.site.token())
    expect(refusalOf(await client.call('look', {}))).toBe('upstream_unavailable')
    await bare.stop()
  })
})
