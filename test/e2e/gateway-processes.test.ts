import { spawn } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import {
  httpServer,
  Site,
  startGateway,
  startGatewayAt,
  startReadyGateway,
  startStdioGateway,
  stdioServer,
} from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { gone, launched, pidsOf } from '../support/launched.ts'
import { isAlive } from '../support/processes.ts'
import { bearer, LegacyClient, ModernClient, refusalOf, send, textOf, toolNames } from '../support/raw-mcp.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

interface Told {
  readonly pids: readonly number[]
}

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

describe('at the start', () => {
  it('the gateway listens without any servers (the bench measures how fast)', async () => {
    const gateway = await startGateway({})
    expect((await send(`${gateway.url}/healthz`, { method: 'GET' })).status).toBe(200)
    expect(await gateway.stop()).toBe(0)
  })

  it('the gateway listens before its servers are ready, and reports when they are', async () => {
    const gateway = await startGateway({
      mcpServers: { s: stdioServer('silent-start', witness, ['--start', 'silent']) },
    })
    const token = await gateway.site.token()
    expect((await send(`${gateway.url}/healthz`, { method: 'GET' })).status).toBe(200)
    expect((await send(`${gateway.url}/readyz`, { method: 'GET', headers: bearer(token) })).status).toBe(503)
    await gateway.stop('SIGKILL')
  })

  it('a second gateway on the same port reports that and exits', async () => {
    const gateway = await startGateway({})
    const { hintgate } = await import('../support/hintgate.ts')
    const { port } = new URL(gateway.url)
    const other = new Site({})
    const finished = await hintgate(['serve', ...other.flags, '--listen', `127.0.0.1:${port}`])
    expect(finished.code).toBe(1)
    expect(finished.stderr).toContain(port)
    await gateway.stop()
  })

  it.each(['0.0.0.0:0', '[::]:0'])('listening on %s without TLS is refused', async address => {
    const { hintgate } = await import('../support/hintgate.ts')
    const { code, stdout, stderr } = await hintgate(['serve', ...new Site({}).flags, '--listen', address])
    expect(code).toBe(2)
    expect(stdout).toBe('')
    expect(stderr).toMatch(/tls/i)
    expect(stderr).toMatch(/behind-proxy|behindProxy/)
  })

  it('listening on every address is allowed behind a proxy', async () => {
    const site = new Site({ behindProxy: true, allowedHosts: ['gateway.example.com'] })
    const gateway = await startGatewayAt(site, {}, '0.0.0.0:0')
    const { port } = new URL(gateway.url)
    const status = async (host: string): Promise<number> =>
      (await send(`http://127.0.0.1:${port}/healthz`, { method: 'GET', headers: { host } })).status
    expect([await status('gateway.example.com'), await status('evil.example.com')]).toEqual([200, 403])
    await gateway.stop()
  })

  it('a lazy server is started by its first call', async () => {
    const gateway = await startGateway({
      mcpServers: {
        lazy: stdioServer('lazy', witness, [], { lazy: true }),
        eager: stdioServer('eager', witness),
      },
    })
    await gateway.says(/eager is ready/)
    expect(witness.of('lazy', 'started')).toEqual([])
    const client = new ModernClient(gateway.endpoint('lazy'), await gateway.site.token())
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await gateway.stop()
  })
})

describe('servers', () => {
  it('get a clean environment and the variables in their config', async () => {
    const gateway = await startReadyGateway(
      {
        mcpServers: { env: stdioServer('env', witness, [], { env: { OWN: 'own', FROM: `\${env:GIVEN}` } }) },
      },
      {
        env: {
          TOP_SECRET: 'do not tell',
          HINTGATE_ANYTHING: 'x',
          GIVEN: 'given',
          NODE_OPTIONS: '--no-warnings',
        },
      },
    )
    const client = new ModernClient(gateway.endpoint('env'), await gateway.site.token())
    const env = JSON.parse(textOf(await client.call('env'))) as Record<string, string>
    expect(env).toMatchObject({ OWN: 'own', FROM: 'given', PATH: process.env.PATH })
    expect(JSON.stringify(env)).not.toContain('do not tell')
    expect(Object.keys(env).filter(name => /TOP_SECRET|HINTGATE|NODE_OPTIONS|GIVEN/.test(name))).toEqual([])
    await gateway.stop()
  })

  it('with isolation "session" end with their session', async () => {
    const gateway = await startReadyGateway({
      mcpServers: { own: stdioServer('own', witness, [], { isolation: 'session' }) },
    })
    const token = await gateway.site.token()
    const [a, b] = await Promise.all(
      [0, 1].map(() => new LegacyClient(gateway.endpoint('own'), token).initialize()),
    )
    if (a === undefined || b === undefined) throw new Error('no clients')
    const pids = [await a.call('pid'), await b.call('pid'), await a.call('pid')].map(answer =>
      Number(textOf(answer)),
    )
    expect(pids[0]).toBe(pids[2])
    expect(pids[0]).not.toBe(pids[1])
    await a.end()
    await gone(pids[0] ?? 0)
    expect(Number(textOf(await b.call('pid')))).toBe(pids[1])
    await gateway.stop()
    await gone(pids[1] ?? 0)
  })
})

describe('SIGTERM', () => {
  it.each(['modern', 'legacy'])('lets a running call of a %s client finish', async era => {
    const name = `drained-${era}`
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer(name, witness) } })
    const token = await gateway.site.token()
    const client =
      era === 'modern'
        ? new ModernClient(gateway.endpoint('s'), token)
        : await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const call = client.openCall('hang', { me: era })
    const { pid } = await witness.saw(name, 'hanging')
    process.kill(gateway.pid, 'SIGTERM')
    await gateway.says(/shutting down/)
    const late = client.openCall('echo')
    await late.closed
    expect(late.text).not.toContain('"result"')
    witness.tell(name, { kind: 'release' })
    expect(textOf(await call.answer())).toContain('released')
    expect(await gateway.exited).toBe(0)
    await gone(pid)
  })

  it('cancels a call that does not finish by the deadline', async () => {
    const gateway = await startReadyGateway({
      mcpServers: { s: stdioServer('stuck', witness) },
      drain: '500ms',
    })
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    const call = client.openCall('hang')
    const { pid } = await witness.saw('stuck', 'hanging')
    const [startedAt, passed] = [performance.now(), startWatch(gateway.pid)]
    expect(await gateway.stop()).toBe(0)
    expect(performance.now() - startedAt).toBeGreaterThan(400)
    expect(passed()).toBeLessThan(4000)
    await call.closed
    await gone(pid)
  })

  it('ends open streams, and does not wait for idle connections', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer('streaming', witness) } })
    const token = await gateway.site.token()
    const agent = new Agent({ keepAlive: true })
    const client = await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const stream = await client.listen()
    const subscription = new ModernClient(gateway.endpoint('s'), token).open('subscriptions/listen', {
      notifications: { toolsListChanged: true },
    })
    await subscription.until('notifications/subscriptions/acknowledged')
    const kept = new Promise<string>(resolve => {
      const options = { agent, headers: { ...client.headers, accept: 'text/event-stream' } }
      request(`${gateway.url}/healthz`, options, response => {
        response.resume().on('end', () => resolve('read'))
      }).end()
    })
    expect(await kept).toBe('read')
    const other = await new LegacyClient(gateway.endpoint('s'), token).initialize()
    const opened = new Promise<void>(resolve => {
      const options = { agent, headers: { ...other.headers, accept: 'text/event-stream' } }
      request(gateway.endpoint('s'), options, response => {
        response.resume()
        resolve()
      }).end()
    })
    await opened
    const passed = startWatch(gateway.pid)
    expect(await gateway.stop()).toBe(0)
    expect(passed()).toBeLessThan(4000)
    await Promise.all([stream.closed, subscription.closed])
    const last = subscription.messages.items.at(-1)
    expect(last).toMatchObject({ result: { resultType: 'complete' } })
    agent.destroy()
  })

  it('leaves no process behind: no server, no wrapper, no child of a wrapper', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: launched('grandchild', witness) } })
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    const pids = await pidsOf('grandchild', witness)
    expect(pids.map(isAlive)).toEqual([true, true, true])
    expect(await gateway.stop()).toBe(0)
    for (const pid of pids) await gone(pid)
  })

  it('kills a server that ignores it', async () => {
    const gateway = await startReadyGateway({
      mcpServers: { s: stdioServer('deaf', witness, ['--ignore-term']) },
    })
    const { pid } = await witness.saw('deaf', 'started')
    expect(await gateway.stop()).toBe(0)
    expect(witness.of('deaf', 'terminated').length).toBeGreaterThan(0)
    await gone(pid)
  })

  it('ends the session at an HTTP server', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: await httpServer('polite', witness) } })
    expect(await gateway.stop()).toBe(0)
    await witness.saw('polite', 'request', ({ method }) => method === 'DELETE')
  })

  it('ends the gateway at once although a server is still starting', async () => {
    const gateway = await startGateway({
      mcpServers: { s: stdioServer('unready', witness, ['--start', 'silent']) },
    })
    const { pid } = await witness.saw('unready', 'started')
    const passed = startWatch(gateway.pid)
    expect(await gateway.stop()).toBe(0)
    expect(passed()).toBeLessThan(4000)
    await gone(pid)
    for (const again of witness.of('unready', 'started')) await gone(again.pid)
  })

  it('has the same result if it is repeated or nothing is running', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer('twice', witness) }, drain: '3s' })
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    client.openCall('hang')
    const { pid } = await witness.saw('twice', 'hanging')
    process.kill(gateway.pid, 'SIGTERM')
    await gateway.says(/shutting down/)
    process.kill(gateway.pid, 'SIGTERM')
    await gateway.exited
    await gone(pid)
  })
})

describe('a server that exits', () => {
  it('takes its children with it', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: launched('orphan', witness) } })
    const [wrapper = 0, ...others] = await pidsOf('orphan', witness)
    process.kill(wrapper, 'SIGKILL')
    for (const pid of others) await gone(pid)
    const client = new ModernClient(gateway.endpoint('s'), await gateway.site.token())
    expect(refusalOf(await client.call('echo')) ?? 'answered').toBe('answered')
    await gateway.stop()
  })
})

describe.runIf(process.platform === 'linux')('a gateway that is killed', () => {
  it.each(['serve', 'stdio'] as const)(
    'by kill -9 (%s) has its servers ended by the next start',
    async door => {
      const name = `left-${door}`
      const site = new Site({ mcpServers: { s: launched(name, witness) } })
      const killed =
        door === 'serve' ? await startGatewayAt(site) : startStdioGateway(site, ['--server', 's'])
      const pids = await pidsOf(name, witness)
      const [leader = 0] = pids
      // Processes that are not its own: of a running gateway on the same home, and of none, with a number that the
      // record also contains.
      const other = await startGatewayAt(site)
      const lives = await witness.saw(
        `${name}-launcher`,
        'hanging',
        ({ args }) => !(args as Told).pids.includes(leader),
      )
      const folder = join(site.home, 'children')
      const record = () =>
        readdirSync(folder).find(file => file.startsWith(`${killed.pid}.`) && file.endsWith('.json')) ?? ''
      const read = () =>
        JSON.parse(readFileSync(join(folder, record()), 'utf8')) as { seen: number; groups: object[] }
      const { seen } = read()
      await expect.poll(() => read().seen).toBeGreaterThan(seen)
      const stranger = spawn('sleep', ['60'], { detached: true, stdio: 'ignore' })
      await killed.stop('SIGKILL')
      // Shells exit and leave their children running.
      if (door === 'stdio') process.kill(leader, 'SIGKILL')
      expect(pids.map(isAlive)).toContain(true)
      const [file, told] = [record(), read()]
      told.groups.push({ pid: stranger.pid ?? 0, start: '1' })
      writeFileSync(join(folder, file), JSON.stringify(told))
      const looked = await hintgate(['doctor', '--json', ...site.flags])
      expect(looked.stdout).toContain('one server of a killed gateway still runs')
      const next = await startGatewayAt(site)
      await next.says(/stopped one server left running by a killed gateway/)
      for (const pid of pids) await gone(pid)
      expect([...(lives.args as Told).pids, stranger.pid ?? 0].map(isAlive)).toEqual([true, true, true, true])
      expect(readdirSync(folder).some(file => file.startsWith(`${killed.pid}.`))).toBe(false)
      stranger.kill('SIGKILL')
      await Promise.all([next.stop(), other.stop()])
      expect(readdirSync(folder)).toEqual([])
    },
  )
})

describe('a gateway on a pipe', () => {
  it.each(['closes the pipe', 'sends SIGTERM', 'sends SIGINT'])(
    'ends with its servers when its client %s',
    async how => {
      const name = `piped-${how.split(' ').at(-1)}`
      const site = new Site({ mcpServers: { s: launched(name, witness) } })
      const running = startStdioGateway(site, ['--server', 's'])
      const client = new StdioClient(running)
      await client.initialize()
      expect((await client.request('tools/call', { name: 'echo', arguments: {} })).result).toBeDefined()
      const pids = await pidsOf(name, witness)
      if (how.includes('pipe')) expect(await client.leave()).toBe(0)
      else expect(await running.stop(how.endsWith('INT') ? 'SIGINT' : 'SIGTERM')).toBe(0)
      for (const pid of pids) await gone(pid)
    },
  )

  it('writes only messages to its standard output', async () => {
    const site = new Site({
      mcpServers: { s: stdioServer('clean', witness), bad: { command: '/nowhere/none' } },
    })
    const running = startStdioGateway(site, ['--direct'])
    const client = new StdioClient(running)
    await client.initialize()
    client.write('this is not JSON')
    client.write('[]')
    const list = await client.request('tools/list')
    expect(list.result).toBeDefined()
    for (const line of running.stdout.items) expect(JSON.parse(line)).toMatchObject({ jsonrpc: '2.0' })
    await client.leave()
  })

  it('answers the requests that came before the pipe was closed', async () => {
    const site = new Site({ mcpServers: { s: stdioServer('hasty', witness) } })
    const running = startStdioGateway(site, ['--server', 's'])
    const client = new StdioClient(running)
    await client.initialize()
    const ids = Array.from({ length: 5 }, (_, index) =>
      client.start('tools/call', { name: 'echo', arguments: { index } }),
    )
    running.child.stdin?.end()
    const answers = await Promise.all(ids.map(id => client.answerTo(id)))
    expect(answers.map(answer => textOf(answer))).toEqual(ids.map((_, index) => JSON.stringify({ index })))
    expect(await running.exited).toBe(0)
  })

  it('has the scope of its agent', async () => {
    const site = new Site({
      mcpServers: { s: stdioServer('scoped', witness) },
      agent_tokens: { reader: { permissions: ['read'], servers: ['s'], tools: ['echo', 'write'] } },
    })
    const client = new StdioClient(startStdioGateway(site, ['--agent', 'reader', '--server', 's']))
    await client.initialize()
    const list = await client.request('tools/list')
    expect(toolNames(list)).toEqual(['echo'])
    const refused = await client.request('tools/call', { name: 'write', arguments: {} })
    expect(refused.result?.isError).toBe(true)
    expect(witness.of('scoped').filter(({ raw }) => raw?.includes('"write"'))).toEqual([])
    await client.leave()
    const unknown = startStdioGateway(site, ['--agent', 'nobody'])
    expect(await unknown.exited).toBe(1)
  })
})

describe('killing the gateway', () => {
  it('ends its servers, too, because their pipe is closed', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer('bereft', witness) } })
    const { pid } = await witness.saw('bereft', 'started')
    await gateway.stop('SIGKILL')
    await pause(0)
    await gone(pid)
  })
})
