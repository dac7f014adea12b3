import { closeSync, openSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import {
  type GatewayConfig,
  readiness,
  type Site,
  startReadyGateway,
  stdioServer,
} from '../support/gateway.ts'
import { isAlive } from '../support/processes.ts'
import {
  bearer,
  LegacyClient,
  ModernClient,
  refusalOf,
  send,
  textOf,
  toolNames,
  toolsOf,
} from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'

const WAYS = {
  'in one step': (site: Site, text: string) => site.configure(text),
  'in place': (site: Site, text: string) => writeFileSync(site.configFile, text),
  'in place, piece by piece': (site: Site, text: string) => {
    const file = openSync(site.configFile, 'w')
    for (const piece of text.match(/.{1,40}/gs) ?? []) writeSync(file, piece)
    closeSync(file)
  },
}

/** A file in the config's folder that never stops changing, such as the log of a server. */
function makeNoise({ folder }: Site): () => void {
  const noise = setInterval(() => writeFileSync(join(folder, 'server.log'), 'a line\n', { flag: 'a' }), 5)
  return () => clearInterval(noise)
}

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

const RELOADED = /reloaded the configuration/
const REFUSED = /the new configuration is invalid/

async function start(config: GatewayConfig) {
  const gateway = await startReadyGateway(config)
  const token = await gateway.site.token()
  const said = (pattern: RegExp): number => gateway.stderr.items.filter(line => pattern.test(line)).length
  return {
    gateway,
    token,
    said,
    client: (server?: string) => new ModernClient(gateway.endpoint(server), token),
    /** Edits the config and waits until the gateway reports the result. */
    async edit(next: GatewayConfig | string, outcome = RELOADED) {
      const before = said(outcome)
      gateway.site.configure(next)
      await expect.poll(() => said(outcome)).toBeGreaterThan(before)
    },
  }
}

describe('an edit of the config', () => {
  it('adds a server without disturbing the processes of the others', async () => {
    const a = stdioServer('a', witness)
    const { gateway, client, edit, token } = await start({ mcpServers: { a } })
    const pid = textOf(await client('a').call('pid'))
    expect((await send(gateway.endpoint('b'), { method: 'GET', headers: bearer(token) })).status).toBe(404)
    const running = client('a').openCall('hang', { me: 'during the edit' })
    await witness.saw('a', 'hanging')
    const session = await new LegacyClient(gateway.endpoint('a'), token).initialize()
    const stream = await new LegacyClient(gateway.endpoint(), token)
      .initialize()
      .then(other => other.listen())

    await edit({ mcpServers: { a, b: stdioServer('b', witness) } })
    await gateway.says(readiness('b'))
    expect(textOf(await client('b').call('echo', { new: true }))).toBe('{"new":true}')
    await stream.until('notifications/tools/list_changed')
    const names = toolNames(await client().request('tools/list'))
    expect(names).toEqual(expect.arrayContaining(['a__echo', 'b__echo']))

    expect(textOf(await client('a').call('pid'))).toBe(pid)
    expect(textOf(await session.call('pid'))).toBe(pid)
    witness.tell('a', { kind: 'release' })
    expect(textOf(await running.answer())).toContain('released')
    expect(witness.of('a', 'started')).toHaveLength(1)
    await gateway.stop()
  })

  it('removes a server with its process, path and tools', async () => {
    const keep = stdioServer('keep', witness)
    const { gateway, client, edit, token } = await start({
      mcpServers: { keep, drop: stdioServer('drop', witness) },
    })
    const pid = Number(textOf(await client('drop').call('pid')))
    const session = await new LegacyClient(gateway.endpoint('drop'), token).initialize()
    const stream = await session.listen()
    await edit({ mcpServers: { keep } })
    await expect.poll(() => isAlive(pid)).toBe(false)
    expect((await send(gateway.endpoint('drop'), { method: 'GET', headers: bearer(token) })).status).toBe(404)
    expect(refusalOf(await client().call('drop__echo'))).toBe('unknown_tool')
    const list = JSON.stringify((await client().request('tools/list')).result)
    expect(list).toContain('keep__echo')
    expect(list).not.toContain('drop__')
    // A session at a removed path ends as well.
    expect(await Promise.race([stream.closed.then(() => 'closed'), pause(3000, 'open')])).toBe('closed')
    await gateway.stop()
  })

  it('changes a server by starting a new process with the new settings', async () => {
    const { gateway, client, edit } = await start({
      mcpServers: { s: stdioServer('changing', witness, [], { env: { MODE: 'one' } }) },
    })
    const before = Number(textOf(await client('s').call('pid')))
    await edit({ mcpServers: { s: stdioServer('changing', witness, [], { env: { MODE: 'two' } }) } })
    await expect.poll(() => isAlive(before)).toBe(false)
    const env = JSON.parse(textOf(await client('s').call('env'))) as Record<string, string>
    expect(env.MODE).toBe('two')
    const calls = await Promise.all(
      Array.from({ length: 5 }, (_, index) => client('s').call('echo', { index })),
    )
    expect(calls.map(textOf)).toEqual(calls.map((_, index) => JSON.stringify({ index })))
    await gateway.stop()
  })

  it('disables and enables a server', async () => {
    const s = stdioServer('switched', witness)
    const { gateway, client, edit, token } = await start({ mcpServers: { s } })
    await edit({ mcpServers: { s: { ...s, disabled: true } } })
    expect((await send(gateway.endpoint('s'), { method: 'GET', headers: bearer(token) })).status).toBe(404)
    await edit({ mcpServers: { s } })
    expect(textOf(await client('s').call('echo', { on: 1 }))).toBe('{"on":1}')
    await gateway.stop()
  })

  it.each([
    ['invalid JSON', '{ "mcpServers": { '],
    ['an unknown key', '{\n  "mcpServers": {},\n  "limit": {}\n}'],
    ['an invalid server', '{ "mcpServers": { "s": { "comand": "node" } } }'],
    [
      'a missing secret',
      `{ "mcpServers": { "s": { "command": "x", "env": { "A": "\${env:NOT_SET_ANYWHERE}" } } } }`,
    ],
  ])('with %s is reported and not applied', async (_what, text) => {
    const s = stdioServer('kept', witness)
    const { gateway, client, edit } = await start({ mcpServers: { s } })
    const pid = textOf(await client('s').call('pid'))
    await edit(text, REFUSED)
    await expect.poll(() => gateway.stderr.items.join('\n')).toMatch(/hintgate\.json/)
    expect(textOf(await client('s').call('pid'))).toBe(pid)
    await edit({ mcpServers: { s, extra: stdioServer('extra', witness) } })
    expect(textOf(await client('extra').call('echo', {}))).toBe('{}')
    expect(textOf(await client('s').call('pid'))).toBe(pid)
    await gateway.stop()
  })

  it('adds and removes tokens', async () => {
    const secret = `hg_agent_${'Zm9v'.repeat(11).slice(0, 43)}`
    const s = stdioServer('tokens', witness)
    const { gateway, edit } = await start({ mcpServers: { s } })
    const status = async (): Promise<number> =>
      (await send(`${gateway.url}/readyz`, { method: 'GET', headers: bearer(secret) })).status
    expect(await status()).toBe(401)
    await edit({
      mcpServers: { s },
      agent_tokens: { bot: { permissions: ['read'], servers: ['s'], token: secret } },
    })
    expect(await status()).toBe(200)
    const session = await new LegacyClient(gateway.endpoint('s'), secret).initialize()
    const stream = await session.listen()
    expect(stream.status).toBe(200)
    await edit({ mcpServers: { s } })
    await stream.closed
    expect(await status()).toBe(401)
    await gateway.stop()
  })

  it('narrows the scope of a token, also for open sessions', async () => {
    const secret = `hg_agent_${'YmFy'.repeat(11).slice(0, 43)}`
    const s = stdioServer('narrowed', witness)
    const config = (permissions: string[]): GatewayConfig => ({
      mcpServers: { s },
      agent_tokens: { bot: { permissions, servers: ['s'], token: secret } },
    })
    const { gateway, edit } = await start(config(['read', 'write']))
    const session = await new LegacyClient(gateway.endpoint('s'), secret).initialize()
    expect(textOf(await session.call('write', { a: 1 }))).toBe('wrote {"a":1}')
    await edit(config(['read']))
    const reply = session.openCall('write', { a: 2 })
    await reply.closed
    expect(reply.text).not.toContain('wrote')
    expect(witness.of('narrowed').filter(({ raw }) => raw?.includes('{"a":2}'))).toEqual([])
    await gateway.stop()
  })

  it('applies overrides of hints immediately', async () => {
    const s = stdioServer('overridden', witness)
    const { gateway, client, edit } = await start({ mcpServers: { s } })
    const hint = async (): Promise<unknown> => {
      const tools = toolsOf(await client('s').request('tools/list'))
      return tools.find(({ name }) => name === 'write')?.annotations.destructiveHint
    }
    expect(await hint()).toBe(false)
    await edit({ mcpServers: { s }, overrides: { s: { write: { destructiveHint: true } } } })
    await expect.poll(hint).toBe(true)
    await gateway.stop()
  })

  it('of limits takes effect, or the gateway reports that it needs a restart', async () => {
    const s = stdioServer('limited', witness)
    const { gateway, client, edit } = await start({ mcpServers: { s } })
    await edit({ mcpServers: { s }, limits: { body: '10kb' } })
    const reply = client('s').openCall('echo', { text: 'x'.repeat(20_000) })
    await reply.closed
    const isSaid = gateway.stderr.items.some(line => /restart/.test(line))
    expect(reply.status === 413 || isSaid).toBe(true)
    await gateway.stop()
  })

  it.each(Object.entries(WAYS))(
    'written %s is applied although other files in its folder change all the time',
    async (_way, write) => {
      const mcpServers = { s: stdioServer('noisy', witness) }
      const { gateway, client, said } = await start({ mcpServers })
      const guarded = (word: string) =>
        JSON.stringify({
          mcpServers,
          quarantine: false,
          guardrails: [{ rule: 'keyword_block', keywords: [word] }],
        })
      const isBlocked = async (word: string) =>
        refusalOf(await client('s').call('echo', { word })) === 'guardrail_blocked'
      const stopNoise = makeNoise(gateway.site)
      try {
        for (const [index, word] of ['tiger', 'zebra', 'okapi'].entries()) {
          write(gateway.site, guarded(word))
          await expect.poll(() => said(RELOADED)).toBe(index + 1)
          expect(await isBlocked(word)).toBe(true)
          write(gateway.site, guarded(word).slice(0, -2))
          await expect.poll(() => said(REFUSED)).toBe(index + 1)
          expect(await isBlocked(word)).toBe(true)
        }
      } finally {
        stopNoise()
      }
      expect([said(RELOADED), said(REFUSED)]).toEqual([3, 3])
      await gateway.stop()
    },
  )
})
