import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, httpServer, readiness, startGateway, stdioServer } from '../support/gateway.ts'
import { LegacyClient, ModernClient, refusalOf, textOf, toolNames } from '../support/raw-mcp.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

const RESULT_LIMIT = 2_000_000

/** One gateway with one good server among many bad ones. */
beforeAll(async () => {
  witness = await openWitness()
  const brief = { timeout: '1s', startTimeout: '2s' }
  gateway = await startGateway({
    mcpServers: {
      exits: stdioServer('exits', witness, ['--start', 'exit'], brief),
      silent: stdioServer('silent', witness, ['--start', 'silent'], brief),
      missing: { command: '/nowhere/no-such-program', trust: 'trusted' },
      refused: { url: 'http://127.0.0.1:1/mcp', trust: 'trusted' },
      noisy: stdioServer('noisy', witness, ['--start', 'garbage'], brief),
      odd: stdioServer('odd', witness, [], brief),
      odd2026: stdioServer('odd2026', witness, ['--era', 'modern'], brief),
      oddweb: await httpServer('oddweb', witness, [], brief),
      mute: stdioServer('mute', witness, ['--mute', 'tools/call'], brief),
      unlisted: stdioServer('unlisted', witness, ['--mute', 'tools/list'], brief),
      good: stdioServer('good', witness),
    },
    limits: { result: RESULT_LIMIT },
  })
  token = await gateway.site.token()
  await Promise.all(['good', 'odd', 'odd2026', 'oddweb', 'mute'].map(name => gateway.says(readiness(name))))
})
afterAll(cleanUp)

/** Calls the good server repeatedly during `work`; returns the time of its slowest call. */
async function watchingGood(work: () => Promise<void>): Promise<number> {
  const good = new ModernClient(gateway.endpoint('good'), token)
  let [isDone, longest, count] = [false, 0, 0]
  const watching = (async () => {
    while (!isDone) {
      const waited = startWatch(gateway.pid)
      expect(textOf(await good.call('echo', { count }))).toBe(JSON.stringify({ count }))
      longest = Math.max(longest, waited())
      count += 1
    }
  })()
  await work().finally(() => {
    isDone = true
  })
  await watching
  expect(count).toBeGreaterThan(0)
  return longest
}

describe('a broken server affects no other server', () => {
  it.each(['odd', 'odd2026'])('if %s writes garbage between its answers', async server => {
    const client = new ModernClient(gateway.endpoint(server), token)
    await watchingGood(async () => {
      for (let round = 0; round < 10; round++)
        expect(textOf(await client.call('garbage'))).toBe('after the garbage')
    })
  })

  it('if it writes a greeting before it speaks JSON', async () => {
    const client = new ModernClient(gateway.endpoint('noisy'), token)
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
  })

  it.each(['odd', 'odd2026'])('if %s answers one call more than once', async server => {
    const client = new ModernClient(gateway.endpoint(server), token)
    const longest = await watchingGood(async () => {
      const answers = await Promise.all(
        Array.from({ length: 20 }, async (_, index) => [
          textOf(await client.call('duplicate', { index })),
          textOf(await client.call('echo', { index })),
        ]),
      )
      for (const [index, answer] of answers.entries()) {
        expect(answer).toEqual([`first ${JSON.stringify({ index })}`, JSON.stringify({ index })])
      }
    })
    expect(longest).toBeLessThan(2000)
  })

  it.each(['odd', 'odd2026'])('if %s answers with an unknown id', async server => {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
    const replies = Array.from({ length: 10 }, () => client.openCall('unknown_id'))
    for (const reply of replies) {
      expect(textOf(await reply.answer())).toBe('for you')
      expect(reply.text).not.toContain('for nobody')
    }
  })

  it('if it writes half a line and then nothing', async () => {
    const client = new ModernClient(gateway.endpoint('odd'), token)
    await watchingGood(async () => {
      expect(refusalOf(await client.call('half'))).toBe('upstream_timeout')
    })
    // The next line continues the half one and is lost with it; later lines are read again.
    await client.call('echo', { lost: true })
    expect(textOf(await client.call('echo', { heard: true }))).toBe('{"heard":true}')
  })

  it('if it stops in the middle of an HTTP body', async () => {
    const client = new ModernClient(gateway.endpoint('oddweb'), token)
    await watchingGood(async () => {
      expect(refusalOf(await client.call('half'))).toBe('upstream_timeout')
    })
    expect(textOf(await client.call('echo', { heard: true }))).toBe('{"heard":true}')
  })

  it.each([
    ['odd', ['result_too_large', 'upstream_protocol']],
    ['oddweb', ['result_too_large']],
  ])('if %s sends more than the limit', async (server, codes) => {
    const client = new ModernClient(gateway.endpoint(server), token)
    await watchingGood(async () => {
      expect(codes).toContain(refusalOf(await client.call('huge', { bytes: RESULT_LIMIT * 3 })))
    })
    expect(textOf(await client.call('echo', { back: true }))).toBe('{"back":true}')
    expect(textOf(await client.call('big', { bytes: RESULT_LIMIT - 1000 }))).toHaveLength(RESULT_LIMIT - 1000)
  })

  it('if it exits at the start, and the refusal quotes its last output', async () => {
    await watchingGood(async () => {
      const answer = await new ModernClient(gateway.endpoint(), token).call('exits__echo')
      expect(refusalOf(answer)).toBe('upstream_unavailable')
      expect(textOf(answer)).toContain('exits')
      expect(JSON.stringify(answer.result)).toContain('there is no licence key')
    })
  })

  it.each(['missing', 'refused', 'exits'])('if %s cannot be reached', async server => {
    const modern = new ModernClient(gateway.endpoint(server), token)
    expect(refusalOf(await modern.call('echo'))).toBe('upstream_unavailable')
    expect((await modern.request('tools/list')).error?.data).toMatchObject({ code: 'upstream_unavailable' })
    expect((await modern.request('server/discover')).error?.data).toMatchObject({
      code: 'upstream_unavailable',
    })
    const legacy = new LegacyClient(gateway.endpoint(server), token)
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'x', version: '0' },
    }
    const greeting = await legacy.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params }).answer()
    expect(greeting.error?.data).toMatchObject({ code: 'upstream_unavailable' })
  })

  it('if it never answers, not even the handshake', async () => {
    const longest = await watchingGood(async () => {
      const answer = await new ModernClient(gateway.endpoint('silent'), token).call('echo')
      expect(['upstream_unavailable', 'upstream_timeout']).toContain(refusalOf(answer))
    })
    expect(longest).toBeLessThan(2000)
  })

  it('if it never answers a call', async () => {
    const client = new ModernClient(gateway.endpoint('mute'), token)
    await watchingGood(async () => {
      const answers = await Promise.all(Array.from({ length: 5 }, () => client.call('echo')))
      expect(new Set(answers.map(refusalOf))).toEqual(new Set(['upstream_timeout']))
    })
  })

  it('if it never lists its tools', async () => {
    const client = new ModernClient(gateway.endpoint('unlisted'), token)
    await watchingGood(async () => {
      expect(refusalOf(await client.call('echo'))).toMatch(/^upstream_/)
    })
  })
})

describe('the tools of all servers', () => {
  it('are listed at once, without those of servers that are down, slow or silent', async () => {
    const client = new ModernClient(gateway.endpoint(), token)
    // Servers that have just been started get a moment, once.
    let list = await client.request('tools/list')
    let best = Number.POSITIVE_INFINITY
    for (let round = 0; round < 3; round++) {
      const waited = startWatch(gateway.pid)
      list = await client.request('tools/list')
      best = Math.min(best, waited())
    }
    // Waiting for the silent server would take a second each time.
    expect(best).toBeLessThan(900)
    const servers = toolNames(list).map(name => name.split('__')[0])
    expect(new Set(servers)).toEqual(new Set(['noisy', 'odd', 'odd2026', 'oddweb', 'mute', 'good']))
  })
})
