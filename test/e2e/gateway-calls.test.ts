import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cleanUp } from '../support/clean-up.ts'
import {
  type Gateway,
  httpServer,
  Site,
  startReadyGateway,
  startStdioGateway,
  stdioServer,
} from '../support/gateway.ts'
import { run, serverFile } from '../support/processes.ts'
import { LegacyClient, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { StdioClient } from '../support/stdio-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let gateway: Gateway
let token: string

/** Servers with one call at a time, one of each kind. */
const NARROW = ['pipe', 'pipe2026', 'web', 'web2026']
const one = { concurrency: 1 }

beforeAll(async () => {
  witness = await openWitness()
  gateway = await startReadyGateway({
    guardrails: [{ rule: 'keyword_block', keywords: ['nightfall'] }],
    mcpServers: {
      pipe: stdioServer('pipe', witness, [], one),
      pipe2026: stdioServer('pipe2026', witness, ['--era', 'modern'], one),
      web: await httpServer('web', witness, [], one),
      web2026: await httpServer('web2026', witness, ['--era', 'modern'], one),
      mortal: stdioServer('mortal', witness, [], { retry: false }),
      slow: stdioServer('slow', witness, [], { timeout: '500ms', concurrency: 1, queue: 1 }),
      busy: stdioServer('busy', witness, [], { concurrency: 1, queue: 2 }),
      good: stdioServer('good', witness),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)

const hung = (server: string, me: string) =>
  witness.saw(server, 'hanging', ({ args }) => JSON.stringify(args).includes(me))
const saysWhy =
  (reason: string) =>
  ({ raw }: { readonly raw?: string }): boolean =>
    raw?.includes(reason) ?? false
const freed = (server: string, id: string | number | undefined) =>
  witness.saw(server, 'cancelled', sighting => sighting.id === id)

describe('cancelling a call reaches its server and frees its slot', () => {
  it.each(NARROW)('when a modern client closes the response, with %s', async server => {
    const client = new ModernClient(gateway.endpoint(server), token)
    const call = client.openCall('hang', { me: `modern ${server}` })
    const { id } = await hung(server, `modern ${server}`)
    call.close()
    await freed(server, id)
    expect(textOf(await client.call('echo', { next: 1 }))).toBe('{"next":1}')
  })

  it.each(NARROW)('when a legacy client sends a cancellation, with %s', async server => {
    const client = await new LegacyClient(gateway.endpoint(server), token).initialize()
    const call = client.openCall('hang', { me: `legacy ${server}` }, 'mine')
    const { id } = await hung(server, `legacy ${server}`)
    expect(
      await client.notify('notifications/cancelled', { requestId: 'mine', reason: 'changed my mind' }),
    ).toBe(202)
    await freed(server, id)
    // A modern server over HTTP hears of it by the closed connection alone.
    if (server !== 'web2026') await witness.saw(server, 'received', saysWhy('changed my mind'))
    await call.closed
    expect(call.messages.items.filter(message => message.method === undefined)).toEqual([])
    expect(textOf(await client.call('echo', { next: 1 }))).toBe('{"next":1}')
  })

  it('with the reason as one short line without secrets', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    client.openCall('hang', { me: 'with a reason' }, 'why')
    const { id } = await hung('pipe', 'with a reason')
    const key = `AKIA${'IOSFODNN7EXAMPLX'}`
    const reason = `line one\nline two ${key} ${'and more '.repeat(200)}`
    await client.notify('notifications/cancelled', { requestId: 'why', reason })
    await freed('pipe', id)
    const { raw = '' } = await witness.saw('pipe', 'received', saysWhy('line one'))
    const { params } = JSON.parse(raw) as { params: { reason: string } }
    expect(params.reason).toMatch(/^line one\\nline two /)
    expect(params.reason.length).toBeLessThanOrEqual(200)
    expect(params.reason).not.toContain(key)
  })

  it('without the reason if a guardrail objects to it', async () => {
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    client.openCall('hang', { me: 'secretive' }, 'leak')
    const { id } = await hung('pipe', 'secretive')
    await client.notify('notifications/cancelled', { requestId: 'leak', reason: 'tell them of nightfall' })
    await freed('pipe', id)
    expect(witness.of('pipe').filter(({ raw }) => raw?.includes('nightfall'))).toEqual([])
  })

  it.each(['legacy', 'modern'])('when a %s client on a pipe sends a cancellation', async era => {
    const site = new Site({ mcpServers: { narrow: stdioServer(`narrow-${era}`, witness, [], one) } })
    const client = new StdioClient(startStdioGateway(site, ['--server', 'narrow']))
    const params = { name: 'hang', arguments: { me: era } }
    if (era === 'legacy') await client.initialize()
    const mine =
      era === 'legacy' ? client.start('tools/call', params) : client.startModern('tools/call', params)
    const { id } = await hung(`narrow-${era}`, era)
    const said = { requestId: mine, reason: 'the user left' }
    client.write({ jsonrpc: '2.0', method: 'notifications/cancelled', params: said })
    await freed(`narrow-${era}`, id)
    await witness.saw(`narrow-${era}`, 'received', saysWhy('the user left'))
    const echo = { name: 'echo', arguments: { next: 1 } }
    const next = era === 'legacy' ? client.request('tools/call', echo) : client.modern('tools/call', echo)
    expect(textOf(await next)).toBe('{"next":1}')
    expect(client.messages.items.filter(message => message.id === mine)).toEqual([])
    expect(await client.leave()).toBe(0)
  })

  it('also while the call waits in the queue, without reaching the server', async () => {
    const modern = new ModernClient(gateway.endpoint('pipe'), token)
    const first = modern.openCall('hang', { me: 'first in line' })
    const { id } = await hung('pipe', 'first in line')
    const client = await new LegacyClient(gateway.endpoint('pipe'), token).initialize()
    const waiting = client.openCall('hang', { me: 'second in line' }, 2)
    const third = client.openCall('echo', { me: 'third in line' }, 3)
    await client.request('ping')
    await client.notify('notifications/cancelled', { requestId: 2 })
    await waiting.closed
    first.close()
    await freed('pipe', id)
    expect(textOf(await third.answer())).toBe('{"me":"third in line"}')
    expect(witness.of('pipe').filter(({ raw }) => raw?.includes('second in line'))).toEqual([])
  })

  it('but not for a call of another client', async () => {
    const [mine, other] = await Promise.all(
      [0, 1].map(() => new LegacyClient(gateway.endpoint('good'), token).initialize()),
    )
    const call = mine?.openCall('hang', { me: 'not yours' }, 77)
    await hung('good', 'not yours')
    await other?.notify('notifications/cancelled', { requestId: 77 })
    await other?.call('echo')
    expect(witness.of('good', 'cancelled')).toEqual([])
    witness.tell('good', { kind: 'release' })
    expect(textOf((await call?.answer()) ?? {})).toContain('released')
  })
})

describe('progress arrives in order and before the result', () => {
  const STEPS = 40
  const wanted = Array.from({ length: STEPS }, (_, index) => index + 1)

  it.each(NARROW)('with %s', async server => {
    const params = { name: 'progress', arguments: { name: 'p', steps: STEPS } }
    const modern = new ModernClient(gateway.endpoint(server), token).open('tools/call', params, {
      meta: { progressToken: 'token ü' },
    })
    const session = await new LegacyClient(gateway.endpoint(server), token).initialize()
    const legacy = session.open('tools/call', { ...params, _meta: { progressToken: 0 } })
    for (const [reply, progressToken] of [
      [modern, 'token ü'],
      [legacy, 0],
    ] as const) {
      expect(textOf(await reply.answer())).toBe('done p')
      await reply.closed
      const progress = reply.messages.items.slice(0, -1)
      expect(progress.map(({ params: told }) => told?.progress)).toEqual(wanted)
      expect(new Set(progress.map(({ params: told }) => told?.progressToken))).toEqual(
        new Set([progressToken]),
      )
    }
  })

  it('on a pipe', async () => {
    const site = new Site({ mcpServers: { p: stdioServer('progressing', witness) } })
    const client = new StdioClient(startStdioGateway(site, ['--direct']))
    await client.initialize()
    const params = {
      name: 'p__progress',
      arguments: { name: 'p', steps: STEPS },
      _meta: { progressToken: 'x' },
    }
    const answer = await client.request('tools/call', params)
    const at = client.messages.items.indexOf(answer)
    const progress = client.messages.items.filter(message => message.method === 'notifications/progress')
    expect(progress.map(({ params: told }) => told?.progress)).toEqual(wanted)
    expect(progress.every(message => client.messages.items.indexOf(message) < at)).toBe(true)
    await client.leave()
  })

  it('only for a client that asked for it', async () => {
    const client = new ModernClient(gateway.endpoint('good'), token)
    const reply = client.openCall('progress', { name: 'quiet', steps: 3 })
    await reply.closed
    expect(reply.messages.items.map(message => message.method)).toEqual([undefined])
  })
})

describe('a server that exits', () => {
  it('during a call gives upstream_unavailable, and the next call starts it again', async () => {
    const client = new ModernClient(gateway.endpoint('mortal'), token)
    const pid = Number(textOf(await client.call('pid')))
    const calls = [client.openCall('hang', { me: 'dying' }), client.openCall('hang', { me: 'dying too' })]
    await hung('mortal', 'dying too')
    process.kill(pid, 'SIGKILL')
    for (const call of calls) {
      const answer = await call.answer()
      expect(refusalOf(answer)).toBe('upstream_unavailable')
      expect(answer.result?.isError).toBe(true)
    }
    const next = Number(textOf(await client.call('pid')))
    expect(next).not.toBe(pid)
    expect(next).toBeGreaterThan(0)
  })

  it('has its last output in the refusal', async () => {
    const client = await new LegacyClient(gateway.endpoint('mortal'), token).initialize()
    const answer = await client.call('exit')
    expect(refusalOf(answer)).toBe('upstream_unavailable')
    expect(textOf(answer)).toContain('the disk is full')
    expect(textOf(await client.call('echo', { back: true }))).toBe('{"back":true}')
  })

  it('repeatedly is restarted each time and does not affect another server', async () => {
    const client = new ModernClient(gateway.endpoint('mortal'), token)
    const neighbour = new ModernClient(gateway.endpoint('good'), token)
    for (let round = 0; round < 5; round++) {
      const [answer, good] = await Promise.all([client.call('exit'), neighbour.call('echo', { round })])
      expect(refusalOf(answer)).toBe('upstream_unavailable')
      expect(textOf(good)).toBe(JSON.stringify({ round }))
    }
    expect(textOf(await client.call('echo', { at: 'last' }))).toBe('{"at":"last"}')
  })
})

describe('a call that takes too long', () => {
  it('gives upstream_timeout, is cancelled at the server, and the next one runs', async () => {
    const client = new ModernClient(gateway.endpoint('slow'), token)
    const started = Date.now()
    const answer = await client.call('hang', { me: 'too slow' })
    expect(refusalOf(answer)).toBe('upstream_timeout')
    expect(Date.now() - started).toBeGreaterThanOrEqual(450)
    const { id } = await hung('slow', 'too slow')
    await freed('slow', id)
    expect(textOf(await client.call('echo', { next: 1 }))).toBe('{"next":1}')
  })

  it('continues as long as it reports progress', async () => {
    const client = new ModernClient(gateway.endpoint('slow'), token)
    const answer = client.open(
      'tools/call',
      { name: 'progress', arguments: { name: 'p', steps: 5 } },
      {
        meta: { progressToken: 1 },
      },
    )
    expect(textOf(await answer.answer())).toBe('done p')
  })

  it('gives a protocol error if it is not a tool call', async () => {
    const site = {
      mcpServers: { mute: stdioServer('mute', witness, ['--mute', 'resources/list'], { timeout: '300ms' }) },
    }
    const muted = await startReadyGateway(site)
    const client = new ModernClient(muted.endpoint('mute'), await muted.site.token())
    const answer = await client.request('resources/list')
    expect(answer.error?.data).toMatchObject({ code: 'upstream_timeout' })
  })
})

describe('too many calls for one server', () => {
  it('give overloaded at once, and queued calls get their turn', async () => {
    const client = new ModernClient(gateway.endpoint('busy'), token)
    const running = client.openCall('hang', { me: 'running' })
    await hung('busy', 'running')
    const replies = Array.from({ length: 5 }, (_, index) => client.openCall('echo', { index }))
    const refused: (string | undefined)[] = []
    const answering = replies.map(async reply => {
      const answer = await reply.answer()
      refused.push(refusalOf(answer))
      return answer
    })
    await expect.poll(() => refused).toEqual(['overloaded', 'overloaded', 'overloaded'])
    witness.tell('busy', { kind: 'release' })
    expect(textOf(await running.answer())).toContain('released')
    const answers = await Promise.all(answering)
    expect(answers.filter(answer => refusalOf(answer) === undefined)).toHaveLength(2)
  })
})

describe('answers of a server', () => {
  it.each(['good', 'web', 'web2026', 'pipe2026'])('are forwarded unchanged, errors too: %s', async server => {
    const client = new ModernClient(gateway.endpoint(server), token)
    expect((await client.call('error')).error).toEqual({
      code: -32123,
      message: 'own error',
      data: { why: 'x' },
    })
    const failed = await client.call('fail')
    expect([failed.result?.isError, textOf(failed)]).toEqual([true, 'it failed'])
    const legacy = await new LegacyClient(gateway.endpoint(server), token).initialize()
    expect((await legacy.call('error')).error).toEqual({
      code: -32123,
      message: 'own error',
      data: { why: 'x' },
    })
  })

  it('of 9 MB are fast and do not disturb the calls of another server', async () => {
    const bytes = 9_000_000
    const client = new ModernClient(gateway.endpoint('good'), token)
    const neighbour = new ModernClient(gateway.endpoint('mortal'), token)
    const direct = new StdioClient(run(process.execPath, [serverFile('stdio.mjs'), '--name', 'direct']))
    await direct.initialize()
    const call = { name: 'big', arguments: { bytes } }
    const throughPipe = await bestOf(5, async () => {
      expect(textOf(await direct.request('tools/call', call))).toHaveLength(bytes)
    })
    const throughGateway = await bestOf(5, async () => {
      expect(textOf(await client.request('tools/call', call))).toHaveLength(bytes)
    })
    expect(throughGateway - throughPipe).toBeLessThan(1000)

    let isDone = false
    const timings: number[] = []
    const disturbed = (async () => {
      while (!isDone) timings.push(await bestOf(1, () => neighbour.call('echo', {})))
    })()
    for (let round = 0; round < 5; round++) await client.request('tools/call', call)
    isDone = true
    await disturbed
    expect(timings.length).toBeGreaterThan(5)
    expect(timings.toSorted((a, b) => a - b)[Math.floor(timings.length / 2)]).toBeLessThan(1000)
  })
})

/** The shortest of several tries in milliseconds, to exclude other load. */
async function bestOf(tries: number, work: () => Promise<unknown>): Promise<number> {
  let best = Number.POSITIVE_INFINITY
  for (let round = 0; round < tries; round++) {
    const passed = startWatch(gateway.pid)
    await work()
    best = Math.min(best, passed())
  }
  return best
}

describe('a server over HTTP that forgets its session', () => {
  it('gets a new one, and the caller notices nothing', async () => {
    const client = await new LegacyClient(gateway.endpoint('web'), token).initialize()
    expect(textOf(await client.call('echo', { a: 1 }))).toBe('{"a":1}')
    const greetings = (): number => witness.of('web').filter(({ method }) => method === 'initialize').length
    const before = greetings()
    witness.tell('web', { kind: 'forget' })
    expect(textOf(await client.call('write', { a: 2 }))).toBe('wrote {"a":2}')
    expect(greetings()).toBe(before + 1)
    const writes = witness.of('web').filter(({ raw }) => raw?.includes('"write"'))
    expect(writes).toHaveLength(1)
    expect(textOf(await client.call('echo', { a: 3 }))).toBe('{"a":3}')
    expect(greetings()).toBe(before + 1)
  })

  it('gets one new session, however many calls detect the loss together', async () => {
    const busy = await startReadyGateway({
      mcpServers: { forgetful: await httpServer('forgetful', witness) },
    })
    const client = new ModernClient(busy.endpoint('forgetful'), await busy.site.token())
    await client.call('echo')
    const greetings = (): number =>
      witness.of('forgetful').filter(({ method }) => method === 'initialize').length
    const before = greetings()
    witness.tell('forgetful', { kind: 'forget' })
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) => client.call('echo', { index })),
    )
    expect(answers.map(answer => textOf(answer))).toEqual(
      Array.from({ length: 20 }, (_, index) => JSON.stringify({ index })),
    )
    expect(greetings()).toBe(before + 1)
  })
})
