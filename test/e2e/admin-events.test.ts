import { afterAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { startReadyGateway, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { openWitness } from '../support/witness.ts'

afterAll(cleanUp)

async function startWatched(settings: { readonly drain?: string } = {}) {
  const witness = await openWitness()
  const gateway = await startReadyGateway({
    ...settings,
    quarantine: true,
    mcpServers: { s: stdioServer('s', witness, [], { trust: 'reviewed' }) },
  })
  const { stdout } = await hintgate(['tokens', 'create', 'ada', '--admin', '--json', ...gateway.site.flags])
  const { token: person } = JSON.parse(stdout) as { token: string }
  const get = (path: string, token: string, more: Record<string, string> = {}) =>
    fetch(`${gateway.url}${path}`, { headers: { authorization: `Bearer ${token}`, ...more } })
  return { gateway, person, agent: await gateway.site.token(), get }
}

/** Reads events until one matches. */
async function readUntil(response: Response, pattern: RegExp): Promise<string> {
  let text = ''
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  while (reader !== undefined && !pattern.test(text)) {
    const { value, done } = await reader.read()
    if (done) break
    text += value
  }
  await reader?.cancel()
  return text
}

describe('the event stream and the metrics', () => {
  it('are refused to agents, without a token, and with a wrong token', async () => {
    const { gateway, agent, get } = await startWatched()
    for (const path of ['/api/v1/events', '/metrics', '/api/v1/nothing', '/api/'])
      expect([path, (await get(path, agent)).status]).toEqual([path, 403])
    expect((await fetch(`${gateway.url}/api/v1/events`)).status).toBe(401)
    expect((await get('/metrics', `${agent}x`)).status).toBe(401)
  })

  it('report tools that wait for review and their decisions, also to a listener that reconnects', async () => {
    const { gateway, person, get } = await startWatched()
    await gateway.says(/tools wait for review/)
    const before = await readUntil(
      await get('/api/v1/events', person, { 'last-event-id': '0' }),
      /"tool":"echo"/,
    )
    expect(before).toContain('"type":"server.ready"')
    expect(before).toContain('"type":"tool.pending"')
    expect(before).not.toContain('description')
    const stream = await get('/api/v1/events', person)
    await hintgate(['tools', 'approve', 's:echo', ...gateway.site.flags])
    expect(await readUntil(stream, /tool\.approved/)).toContain('"tool":"echo"')
  })

  it('do not keep the gateway from stopping', async () => {
    const { gateway, person, get } = await startWatched({ drain: '10m' })
    const streams = await Promise.all([get('/api/v1/events', person), get('/api/v1/events', person)])
    const ended = Promise.all(streams.map(stream => stream.text()))
    expect(await gateway.stop()).toBe(0)
    await ended
  })

  it('count tools by review state', async () => {
    const { gateway, person, get } = await startWatched()
    await gateway.says(/tools wait for review/)
    const text = await (await get('/metrics', person)).text()
    expect(text).toMatch(/hintgate_tools\{server="s",state="pending"\} [1-9]/)
    expect(text).toContain('hintgate_server_up{server="s"} 1')
    expect((await get('/api/v1/nothing', person)).status).toBe(404)
  })
})
