import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp, later } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { isAlive } from '../support/processes.ts'
import { LegacyClient, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness

beforeAll(async () => {
  witness = await openWitness()
})
afterAll(cleanUp)

describe('legacy sessions with a process of their own', () => {
  let gateway: Gateway
  let tokens: string[]

  beforeAll(async () => {
    const bounds = { isolation: 'session', sessions: 4, sessionsPerPrincipal: 2 }
    gateway = await startReadyGateway({ mcpServers: { own: stdioServer('own', witness, [], bounds) } })
    tokens = [await gateway.site.token(), await gateway.site.token(), await gateway.site.token()]
  })
  afterAll(() => gateway.stop())

  const open = (token = tokens[0] ?? ''): Promise<LegacyClient> =>
    new LegacyClient(gateway.endpoint('own'), token).initialize()
  const pidOf = async (client: LegacyClient): Promise<number> => Number(textOf(await client.call('pid')))

  it('are limited for each caller: the least recently used one ends', async () => {
    const clients = [await open(), await open(), await open(), await open()]
    const pids: number[] = []
    for (const client of clients) pids.push(await pidOf(client))
    expect(new Set(pids).size).toBe(4)
    await expect.poll(() => pids.map(isAlive)).toEqual([false, false, true, true])
    for (const client of clients) await client.end()
  })

  it('are refused with the name of the limit while all of the caller are busy, and other callers are not affected', async () => {
    const clients = [await open(), await open(), await open()]
    for (const [at, client] of clients.slice(0, 2).entries()) {
      client.openCall('hang', { at })
      await witness.saw('own', 'hanging', ({ args }) => (args as { at?: number }).at === at)
    }
    const answer = await clients[2]?.call('pid')
    expect(refusalOf(answer ?? {})).toBe('overloaded')
    expect(JSON.stringify(answer)).toContain('sessionsPerPrincipal')
    expect(await pidOf(await open(tokens[1]))).toBeGreaterThan(0)
    await clients[0]?.end()
    expect(Number(textOf((await clients[2]?.call('pid')) ?? {}))).toBeGreaterThan(0)
    for (const client of clients.slice(1)) await client.end()
  })

  it('of two greedy callers keep no other caller out', async () => {
    for (const token of [tokens[0], tokens[0], tokens[1], tokens[1]]) await pidOf(await open(token))
    expect(await pidOf(await open(tokens[2]))).toBeGreaterThan(0)
  })
})

describe('connections', () => {
  const knock = (gateway: Gateway): Promise<Socket> =>
    new Promise(resolve => {
      const socket = connect(Number(new URL(gateway.url).port), '127.0.0.1', () => resolve(socket))
      socket.on('error', () => {}).resume()
      later(() => socket.destroy())
    })

  it('are limited: a new one replaces the least recently used one', async () => {
    const gateway = await startReadyGateway({
      mcpServers: { s: stdioServer('s', witness) },
      limits: { connections: 3 },
    })
    const token = await gateway.site.token()
    const sockets = [await knock(gateway), await knock(gateway), await knock(gateway)]
    const surplus = await knock(gateway)
    await expect.poll(() => sockets.map(socket => socket.destroyed)).toEqual([true, false, false])
    expect(surplus.destroyed).toBe(false)
    const client = new ModernClient(gateway.endpoint('s'), token)
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    await expect.poll(() => sockets.map(socket => socket.destroyed)).toEqual([true, true, false])
    await gateway.stop()
  })

  it('without a request do not delay the shutdown', async () => {
    const gateway = await startReadyGateway({ mcpServers: { s: stdioServer('s', witness) }, drain: '60s' })
    await knock(gateway)
    ;(await knock(gateway)).write('POST /mcp HTTP/1.1\r\nHost: local')
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(await gateway.stop()).toBe(0)
  })
})
