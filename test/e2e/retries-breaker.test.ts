import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { FlakyServer } from '../faults/flaky-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { waitingFor } from '../support/confirming.ts'
import { type Gateway, startGateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { bearer, type Json, type Message, ModernClient, refusalOf, send, textOf } from '../support/raw-mcp.ts'
import { refusal } from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let sick: FlakyServer
let well: FlakyServer
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  sick = await new FlakyServer().open()
  well = await new FlakyServer().open()
  gateway = await startReadyGateway({
    confirm: { write: 'always' },
    mcpServers: {
      sick: sick.config({ retry: false, timeout: '400ms' }),
      well: well.config(),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

const call = (server: string, tool: string, args: Json = {}): Promise<Message> =>
  new ModernClient(gateway.endpoint(server), token).call(tool, args)

/** Makes calls that get this fate, one after the other. */
async function suffer(times: number, fate: 'cut' | 'hang' | 'fail'): Promise<void> {
  for (let time = 0; time < times; time++) {
    sick.fates = [fate]
    await call('sick', 'look')
  }
}

/** Enough successful calls for earlier failures not to count. */
async function recover(): Promise<void> {
  sick.fates = []
  sick.isDeaf = false
  await expect.poll(async () => refusalOf(await call('sick', 'look'))).toBeUndefined()
  await Promise.all(Array.from({ length: 20 }, () => call('sick', 'look')))
  sick.seen.length = 0
  sick.methods.length = 0
}

const LEFT_ALONE = /circuit breaker/

describe('a server that fails repeatedly', () => {
  it('gets no calls for a while, and refusals say when the gateway tries again', async () => {
    await recover()
    await suffer(5, 'cut')
    expect(sick.callsOf('look')).toHaveLength(5)
    const { code, message, remedy, verdict } = refusal(await call('sick', 'look'))
    expect({ code, verdict }).toEqual({ code: 'upstream_unavailable', verdict: 'failed' })
    expect(message).toMatch(LEFT_ALONE)
    expect(remedy).toMatch(
      /Nothing was changed; the gateway tries the server again in (a second|\d+ seconds)/,
    )
    expect(sick.callsOf('look')).toHaveLength(5)
    expect(await gateway.says(/\bsick is down: .*circuit breaker/)).toContain('sick')
  })

  it('counts as down for that time in the metrics', async () => {
    await recover()
    const made = await hintgate(['tokens', 'create', 'ada', '--admin', '--json', ...gateway.site.flags])
    const headers = bearer((JSON.parse(made.stdout) as { token: string }).token)
    const metrics = async () => (await send(`${gateway.url}/metrics`, { method: 'GET', headers })).text
    expect(await metrics()).toContain('hintgate_server_up{server="sick"} 1')
    await suffer(5, 'cut')
    expect(await metrics()).toContain('hintgate_server_up{server="sick"} 0')
    expect(await metrics()).toContain('hintgate_server_up{server="well"} 1')
  })

  it('is tested by the gateway, never by a call, and then used again', async () => {
    await recover()
    await suffer(5, 'cut')
    sick.methods.length = 0
    const seen = sick.seen.length
    // Without any calls, the gateway still detects it.
    await expect.poll(() => sick.methods).toContain('server/discover')
    expect(sick.seen.length).toBe(seen)
    expect(textOf(await call('sick', 'look', { back: true }))).toBe('{"back":true}')
  })

  it('is tested less and less often', async () => {
    await recover()
    await suffer(5, 'cut')
    sick.isDeaf = true
    await sleep(3500)
    const asked = sick.methods.filter(method => method === 'server/discover').length
    expect(asked).toBeGreaterThan(0)
    expect(asked).toBeLessThan(5)
    expect(refusal(await call('sick', 'look')).message).toMatch(LEFT_ALONE)
  })

  it('costs no approval and no audit row that suggests an execution', async () => {
    await recover()
    const { id } = waitingFor(await call('sick', 'add', { mark: 'asked' }))
    await hintgate(['approvals', 'approve', id, ...gateway.site.flags])
    await suffer(5, 'cut')
    expect(refusal(await call('sick', 'add', { mark: 'asked' })).message).toMatch(LEFT_ALONE)
    await recover()
    expect(textOf(await call('sick', 'add', { mark: 'asked' }))).toContain('asked')
    const { stdout } = await hintgate([
      'audit',
      'query',
      '--tool',
      'sick:add',
      '--json',
      ...gateway.site.flags,
    ])
    const { calls } = JSON.parse(stdout) as {
      calls: { outcome: string; attempts: number; rows: unknown[] }[]
    }
    expect(calls.find(({ outcome }) => outcome === 'failed')).toMatchObject({ attempts: 0, rows: [{}] })
  })

  it('does not delay other servers', async () => {
    await recover()
    const hanging = Array.from({ length: 100 }, () => {
      sick.fates.push('hang')
      return call('sick', 'look')
    })
    const times: number[] = []
    for (let round = 0; round < 50; round++) {
      const waited = startWatch(gateway.pid)
      expect(refusalOf(await call('well', 'look', { round }))).toBeUndefined()
      times.push(waited())
    }
    await Promise.all(hanging)
    times.sort((a, b) => a - b)
    // Shorter than the time until the failing server gets no more calls.
    expect(times[25]).toBeLessThan(300)
  })
})

describe('a server keeps getting calls', () => {
  it('after errors of its tools', async () => {
    await recover()
    await suffer(30, 'fail')
    expect((await call('sick', 'look')).result?.isError).toBe(false)
  })

  it('after timeouts of one tool while others answer', async () => {
    await recover()
    for (let round = 0; round < 6; round++) {
      sick.fates = ['hang']
      const late = call('sick', 'look')
      await expect.poll(() => sick.fates.length).toBe(0)
      await call('sick', 'look', { meanwhile: true })
      expect(refusalOf(await late)).toBe('upstream_timeout')
    }
    expect(textOf(await call('sick', 'look', { still: 'there' }))).toBe('{"still":"there"}')
  })
})

describe('a server that answers no call', () => {
  it('gets no calls, and is used again when it answers the gateway', async () => {
    await recover()
    sick.isDeaf = true
    await suffer(5, 'hang')
    expect(refusal(await call('sick', 'look')).message).toMatch(LEFT_ALONE)
    await recover()
  })
})

describe('a program that cannot be started', () => {
  it('is not started again for every call', async () => {
    const broken = stdioServer('broken', witness, ['--start', 'exit'])
    const own = await startGateway({ mcpServers: { broken } })
    await own.says(/broken is down/)
    const client = new ModernClient(own.endpoint('broken'), await own.site.token())
    await expect.poll(async () => textOf(await client.call('echo'))).toMatch(/tries the server again in/)
    const starts = witness.of('broken', 'started').length
    const answers = await Promise.all(Array.from({ length: 50 }, () => client.call('echo')))
    expect(answers.every(answer => refusalOf(answer) === 'upstream_unavailable')).toBe(true)
    expect(witness.of('broken', 'started').length).toBeLessThanOrEqual(starts + 2)
    await own.stop()
  })
})
