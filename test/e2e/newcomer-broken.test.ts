import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import type { AddressInfo } from 'node:net'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { ClientHome } from '../support/client-home.ts'
import { Site, startGatewayAt } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { run } from '../support/processes.ts'

afterAll(cleanUp)

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))

/** One message with its fix and no stack trace. */
function isClear(text: string): void {
  expect(text).toMatch(/\n {2}fix: \S/)
  expect(text).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
}

describe('a first start with a problem prints one message with a fix', () => {
  it('if the port is in use', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    later(() => other.close())
    const listen = `127.0.0.1:${(other.address() as AddressInfo).port}`
    for (const command of ['serve', 'demo']) {
      const { code, stderr } = await new ClientHome().hintgate([command, '--listen', listen])
      expect([code, stderr]).toEqual([1, expect.stringMatching(new RegExp(`listen.* on ${listen}`))])
      isClear(stderr)
    }
  })

  it('if the config is not JSON', async () => {
    const home = new ClientHome()
    home.put('project/hintgate.json', '{\n  "listen": "127.0.0.1:0"\n  "mcpServers": {}\n}')
    const { code, stderr } = await home.hintgate(['serve'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('hintgate.json:3:3: expected a comma')])
    isClear(stderr)
    expect(existsSync(home.path('.hintgate'))).toBe(false)
  })

  it('if the program of a server is missing', async () => {
    const site = new Site({ mcpServers: { none: { command: 'no-such-program' } } })
    const gateway = await startGatewayAt(site)
    await gateway.says(/none is down: .*the configured command does not exist on this machine/)
    const { code, stdout } = await hintgate(['servers', 'test', 'none', ...site.flags])
    expect([code, stdout]).toEqual([1, expect.stringContaining('or correct mcpServers.none.command')])
  })

  it('if the token is invalid', async () => {
    const gateway = await startGatewayAt(new Site({}))
    const token = `hg_agent_${'x'.repeat(43)}`
    const { code, stderr } = await hintgate(['tools', 'list', '--url', gateway.url, '--token', token])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/rejected the token[\s\S]*fix: .*hintgate tokens create/),
    ])
  })

  it('if the home is not writable', async () => {
    for (const args of [
      ['serve'],
      ['tokens', 'create', 'a'],
      ['demo'],
      ['import', '--yes'],
      ['connect', 'cursor', '--yes'],
      ['init', '--global'],
    ]) {
      const home = new ClientHome()
      writeFileSync(home.path('.hintgate'), 'in the way')
      home.put('.claude.json', { mcpServers: { a: { command: 'a' } } })
      const { code, stderr } = await home.hintgate(args)
      expect(code, args.join(' ')).toBe(1)
      isClear(stderr)
      expect(home.read('.hintgate')).toBe('in the way')
      expect(readdirSync(home.folder).toSorted()).toEqual(['.claude.json', '.hintgate', 'project'])
    }
  })

  it('if Node is too old', async () => {
    const home = new ClientHome()
    const shim = home.put(
      'old.cjs',
      `Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '18.20.0' } })
       Object.defineProperty(process, 'version', { value: 'v18.20.0' })`,
    )
    const old = run(process.execPath, ['--require', shim, BIN, 'serve'], { env: home.env, cwd: home.project })
    expect([await old.exited, old.stderr.items]).toEqual([
      2,
      ['hintgate needs Node 20.19 or newer; this is v18.20.0. Get one from https://nodejs.org'],
    ])
  })
})

describe('Ctrl-C', () => {
  it('ends the demo and leaves no process running', async () => {
    const home = new ClientHome()
    const demo = run(process.execPath, [BIN, 'demo', '--listen', '127.0.0.1:0'], {
      env: home.env,
      cwd: home.project,
    })
    await demo.stdout.until(line => line.includes('Add this to your MCP client'))
    await demo.stderr.until(line => line.includes('notes is ready'))
    expect(await demo.stop('SIGINT')).toBe(0)
    expect(demo.stderr.items.join('\n')).toContain('shutting down')
  })
})

describe('hintgate without a command', () => {
  it('runs the demo without a config, and shows the help with one', async () => {
    const home = new ClientHome()
    writeFileSync(home.path('.hintgate'), 'in the way')
    expect((await home.hintgate([])).stderr).toContain('.hintgate/demo')
    home.put('project/hintgate.json', '{}')
    const { code, stdout, stderr } = await home.hintgate([])
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('Usage: hintgate')])
  })
})
