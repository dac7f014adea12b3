import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { run } from '../support/processes.ts'
import { LegacyClient } from '../support/raw-mcp.ts'

const ROOT = fileURLToPath(new URL('../../', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'hintgate-packed-'))
const app = join(folder, 'app')
const home = join(folder, 'home')
const env = { HOME: home, USERPROFILE: home, HINTGATE_CONFIG: '', XDG_CONFIG_HOME: '' }

let isInstalled = false

beforeAll(() => {
  for (const made of [app, home]) mkdirSync(made)
  const workspaces = ['metadata', 'gateway'].flatMap(name => ['--workspace', `packages/${name}`])
  execFileSync('npm', ['pack', '--silent', ...workspaces, '--pack-destination', folder], { cwd: ROOT })
  const tarballs = readdirSync(folder)
    .filter(file => file.endsWith('.tgz'))
    .map(file => join(folder, file))
  writeFileSync(join(app, 'package.json'), '{ "private": true }')
  const install = ['install', ...tarballs, '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund']
  const done = spawnSync('npm', install, { cwd: app, encoding: 'utf8' })
  isInstalled = done.status === 0
  const isOffline = /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENOTCACHED|network/i.test(done.stderr ?? '')
  if (isInstalled) return
  if (process.env.CI || !isOffline) throw new Error(`npm install of the tarballs failed: ${done.stderr}`)
  process.stderr.write(
    '\nSKIPPED: the packed gateway could not be installed, because npm reaches no registry\n\n',
  )
})
afterAll(async () => {
  await cleanUp()
  rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
})

const installed = (path: string): string => join(app, 'node_modules/@hintgate/gateway', path)

describe('the packed gateway in an empty folder', () => {
  it('has what it needs to run and no tests', ({ skip }) => {
    if (!isInstalled) return skip()
    for (const file of [
      'bin/hintgate.js',
      'demo/notes-server.mjs',
      'demo/mailer-server.mjs',
      'hintgate.schema.json',
    ])
      expect(existsSync(installed(file)), file).toBe(true)
    const files = readdirSync(installed('dist'), { recursive: true }).map(String)
    expect(files.filter(file => /\.test\.|test-support/.test(file))).toEqual([])
    // Code compiled here cannot be used on another machine.
    expect(files.filter(file => file.endsWith('.code'))).toEqual([])
  })

  it('runs from its bundle, not from single modules', ({ skip }) => {
    if (!isInstalled) return skip()
    const hintgate = join(app, 'node_modules/.bin/hintgate')
    renameSync(installed('dist/cli'), installed('dist/elsewhere'))
    try {
      const list = execFileSync(hintgate, ['tokens', 'list'], { cwd: app, env: { ...process.env, ...env } })
      expect(String(list)).toContain('No tokens yet')
    } finally {
      renameSync(installed('dist/elsewhere'), installed('dist/cli'))
    }
  })

  it('runs the demo without arguments, and its tools can be called', async ({ skip }) => {
    if (!isInstalled) return skip()
    const npx = ['exec', '--no', '--', '@hintgate/gateway', '--version']
    expect(execFileSync('npm', npx, { cwd: app, encoding: 'utf8' })).toMatch(/^\d+\.\d+\.\d+\n$/)
    // The program that npx starts; npx itself does not forward the signal of a test.
    const demo = run(join(app, 'node_modules/.bin/hintgate'), ['demo', '--listen', '127.0.0.1:0'], {
      env,
      cwd: app,
    })
    const endpoint = await demo.stdout.until(line => line.includes('search surface'))
    const header = await demo.stdout.until(line => line.includes('hg_agent_'))
    await demo.stderr.until(line => line.includes('notes is ready'))
    const url = /http\S+/.exec(endpoint)?.[0] ?? ''
    const client = await new LegacyClient(url, /hg_agent_[\w-]+/.exec(header)?.[0] ?? '').initialize()
    const call = { name: 'notes:search_notes', args: { query: 'lemon' } }
    const { result } = await client.request('tools/call', { name: 'call_tool_read', arguments: call })
    expect(JSON.stringify(result)).toContain('Groceries')
    expect(await demo.stop('SIGINT')).toBe(0)
  })

  it('writes a config, adds a server and tests it', ({ skip }) => {
    if (!isInstalled) return skip()
    const hintgate = (...args: string[]) =>
      execFileSync(join(app, 'node_modules/.bin/hintgate'), args, {
        cwd: app,
        encoding: 'utf8',
        env: { ...process.env, ...env },
      })
    hintgate('init')
    hintgate('servers', 'add', 'notes', '--', process.execPath, installed('demo/notes-server.mjs'))
    expect(hintgate('servers', 'test', 'notes')).toMatch(
      /^ok notes: speaks 2026-07-28 \(modern\), 3 tools, 100 %/,
    )
  })
})
