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

/** One message with its fix, and no stack of ours. */
function isClear(text: string): void {
  expect(text).toMatch(/\n {2}fix: \S/)
  expect(text).not.toMatch(/^\s+at .*:\d+:\d+\)?$/m)
}

describe('where something is wrong from the start, one message says what and how to mend it', () => {
  it('the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await new Promise(resolve => other.once('listening', resolve))
    later(() => other.close())
    const listen = `127.0.0.1:${(other.address() as AddressInfo).port}`
    for (const command of ['serve', 'demo']) {
      const { code, stderr } = await new ClientHome().hintgate([command, '--listen', listen])
      expect([code, stderr]).toEqual([
        1,
        expect.stringContaining(`Something else listens on ${listen} already`),
      ])
      isClear(stderr)
    }
  })

  it('the config is no JSON', async () => {
    const home = new ClientHome()
    home.put('project/hintgate.json', '{\n  "listen": "127.0.0.1:0"\n  "mcpServers": {}\n}')
    const { code, stderr } = await home.hintgate(['serve'])
    expect([code, stderr]).toEqual([2, expect.stringContaining('hintgate.json:3:3: expected a comma')])
    isClear(stderr)
    expect(existsSync(home.path('.hintgate'))).toBe(false)
  })

  it('the program of a server is not there', async () => {
    const site = new Site({ mcpServers: { none: { command: 'no-such-program' } } })
    const gateway = await startGatewayAt(site)
    await gateway.says(/none is down: .*its command does not exist on this machine/)
    const { code, stdout } = await hintgate(['servers', 'test', 'none', ...site.flags])
    expect([code, stdout]).toEqual([
      1,
      expect.stringContaining('install it, or correct mcpServers.none.command'),
    ])
  })

  it('the token is wrong', async () => {
    const gateway = await startGatewayAt(new Site({}))
    const token = `hg_agent_${'x'.repeat(43)}`
    const { code, stderr } = await hintgate(['tools', 'list', '--url', gateway.url, '--token', token])
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(
        /does not accept this token \(unknown, revoked or expired\); hintgate tokens create/,
      ),
    ])
  })

  it('the home cannot be written', async () => {
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

  it('Node is old', async () => {
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
  it('ends the demo cleanly, with nothing left running', async () => {
    const home = new ClientHome()
    const demo = run(process.execPath, [BIN, 'demo', '--listen', '127.0.0.1:0'], {
      env: home.env,
      cwd: home.project,
    })
    await demo.stdout.until(line => line.includes('Paste this into your MCP client'))
    await demo.stderr.until(line => line.includes('notes is ready'))
    expect(await demo.stop('SIGINT')).toBe(0)
    expect(demo.stderr.items.join('\n')).toContain('shutting down')
  })
})

describe('hintgate without a command', () => {
  it('runs the demo where there is no config, and shows its help where there is one', async () => {
    const home = new ClientHome()
    writeFileSync(home.path('.hintgate'), 'in the way')
    expect((await home.hintgate([])).stderr).toContain('.hintgate/demo')
    home.put('project/hintgate.json', '{}')
    const { code, stdout, stderr } = await home.hintgate([])
    expect([code, stdout + stderr]).toEqual([2, expect.stringContaining('Usage: hintgate')])
  })
})
