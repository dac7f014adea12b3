import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, Site, startReadyGateway } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { address, run } from '../support/processes.ts'
import { type Json, ModernClient, refusalOf } from '../support/raw-mcp.ts'
import { ScriptedServer, scripted } from '../support/scripted-server.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))
const SECRET = 'sk-live-51HsecretsecretsecretXYZ'

async function start(log: Json, env: NodeJS.ProcessEnv = {}) {
  const witness = await openWitness()
  const mcpServers = {
    s: new ScriptedServer('s', witness, [scripted('fail', {}, { does: 'fail' })]).config,
    gone: { command: process.execPath, args: ['-e', 'process.exit(3)'] },
  }
  const { gone: _gone, ...ready } = mcpServers
  const gateway = await startReadyGateway({ log, mcpServers: ready }, { env })
  gateway.site.configure({ log, mcpServers, quarantine: false })
  return { gateway, client: new ModernClient(gateway.endpoint('s'), await gateway.site.token()) }
}

const linesOf = ({ stderr }: Gateway): Json[] => stderr.items.map(line => JSON.parse(line) as Json)

describe('JSON logs', () => {
  it('have one object per line from first to last, with time, level and message', async () => {
    const { gateway, client } = await start({ format: 'json' })
    await gateway.says(/gone is down/)
    expect(refusalOf(await client.call('made-up-name'))).toBe('unknown_tool')
    await gateway.stop()
    const lines = linesOf(gateway)
    expect(lines.length).toBeGreaterThan(3)
    for (const line of lines)
      expect(line).toMatchObject({
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        level: expect.stringMatching(/^(?:error|warn|info|debug)$/),
        msg: expect.stringMatching(/./),
      })
    expect(lines).toContainEqual(expect.objectContaining({ level: 'warn', server: 'gone' }))
    expect(lines.at(-1)).toMatchObject({ msg: 'shutting down' })
  })

  it('have a debug line for every call, with the request id of the audit log', async () => {
    const { gateway, client } = await start({ format: 'json', level: 'debug' })
    await client.call('echo', { password: SECRET, card: '4111111111111111' })
    await client.call('fail', {})
    const line = JSON.parse(await gateway.says(/called s:echo/)) as Json
    expect(line).toMatchObject({
      level: 'debug',
      principal: 'agent:agent-1',
      server: 's',
      tool: 'echo',
      variant: 'call_tool_read',
      verdict: 'allow',
      outcome: 'answered',
      attempts: 1,
      duration_ms: expect.any(Number),
      request_id: expect.stringMatching(/./),
    })
    const found = await hintgate([
      'audit',
      'query',
      '--request',
      String(line.request_id),
      '--json',
      ...gateway.site.flags,
    ])
    expect(JSON.parse(found.stdout)).toMatchObject({ tool: 'echo' })
    await gateway.says(/called s:fail: tool_error/)
    const written = gateway.stderr.items.join('\n')
    for (const secret of [SECRET, '4111111111111111', client.token, 'hg_agent_'])
      expect(written).not.toContain(secret)
  })

  it('name the caller, tool and code of a refused call, but no made-up name', async () => {
    const { gateway, client } = await start({ format: 'json' })
    await client.call('echo', {})
    await client.call('made-up-name', {})
    const line = JSON.parse(await gateway.says(/unknown_tool/)) as Json
    expect(line).toMatchObject({ level: 'info', outcome: 'refused', code: 'unknown_tool' })
    expect(line.request_id).toMatch(/./)
    const written = gateway.stderr.items.join('\n')
    expect(written).not.toContain('made-up-name')
    expect(written).not.toContain('called s:echo')
  })
})

describe('the log', () => {
  it('is plain text by default', async () => {
    const { gateway } = await start({})
    expect(await gateway.says(/s is ready/)).toMatch(/^hintgate: s is ready \(legacy, /)
  })

  it('follows the environment before the config', async () => {
    const { gateway } = await start({ format: 'text', level: 'error' }, { HINTGATE_LOG: 'json,info' })
    expect(JSON.parse(await gateway.says(/s is ready/))).toMatchObject({ level: 'info', server: 's' })
  })

  it('follows the command line before everything else', async () => {
    const site = new Site({ log: { format: 'text' } })
    const flags = ['serve', ...site.flags, '--listen', '127.0.0.1:0', '--log-format', 'json']
    const running = run(process.execPath, [BIN, ...flags], { env: { HINTGATE_LOG: 'text' } })
    await address(running)
    await running.stop()
    expect(running.stderr.items.map(line => (JSON.parse(line) as Json).msg)).toEqual(['shutting down'])
    const odd = await hintgate(['serve', ...site.flags, '--log-format', 'xml'])
    expect(odd.code).toBe(2)
    expect(odd.stderr).toContain('--log-format: expected one of text, json')
  })
})
