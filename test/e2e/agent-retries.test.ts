import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FlakyServer } from '../faults/flaky-server.ts'
import { asServers, connect, errorOf, person, textOf } from '../support/agents.ts'
import { cleanUp } from '../support/clean-up.ts'
import { httpServer, stdioServer } from '../support/gateway.ts'
import { isAlive } from '../support/processes.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let flaky: FlakyServer

beforeAll(async () => {
  witness = await openWitness()
  flaky = await new FlakyServer().open()
})
beforeEach(() => {
  flaky.fates = []
  flaky.seen.length = 0
})
afterAll(cleanUp)

const attempts = (tool: string): number => flaky.callsOf(tool).length
const connectFlaky = (more: object = {}) =>
  connect({ servers: asServers({ flaky: flaky.config() }), confirm: person(true).confirm, ...more })

describe('a call that fails in transport', () => {
  for (const fate of ['cut', 502] as const)
    for (const tool of ['look', 'put'])
      it(`is retried if a repeat has no further effect (${tool}, ${fate})`, async () => {
        const agent = await connectFlaky()
        flaky.fates = [fate, fate]
        expect(textOf(await agent.call(`flaky:${tool}`, { n: 1 }))).toBe('{"n":1}')
        expect(attempts(tool)).toBe(3)
      })

  for (const fate of ['cut', 502] as const)
    for (const tool of ['add', 'destroy'])
      it(`is never retried otherwise, and may have been executed (${tool}, ${fate})`, async () => {
        const agent = await connectFlaky()
        flaky.fates = [fate]
        const error = await errorOf(agent.call(`flaky:${tool}`))
        expect(error).toMatchObject({ code: 'upstream_unavailable', mayHaveRun: true })
        expect(attempts(tool)).toBe(1)
      })

  it('is retried in any case if it certainly never arrived', async () => {
    const agent = await connectFlaky({ retry: { attempts: 20, delayMs: 100, maxDelayMs: 100 } })
    await flaky.close()
    // Wait for the old connection to close on this side, too: a message written into it may have arrived.
    await new Promise(resolve => setTimeout(resolve, 200))
    const call = agent.call('flaky:add', { n: 'late' })
    await new Promise(resolve => setTimeout(resolve, 300))
    await flaky.open()
    expect(textOf(await call)).toBe('{"n":"late"}')
    expect(attempts('add')).toBe(1)
  })

  it('is not retried if its read-only hint is not vouched for', async () => {
    const agent = await connectFlaky({ servers: asServers({ flaky: flaky.config({ trust: 'reviewed' }) }) })
    flaky.fates = ['cut']
    expect((await errorOf(agent.call('flaky:look'))).code).toBe('upstream_unavailable')
    expect(attempts('look')).toBe(1)
  })

  it('fails after the configured number of attempts', async () => {
    const agent = await connectFlaky({ retry: { attempts: 2, delayMs: 1 } })
    flaky.fates = ['cut', 'cut', 'cut']
    expect((await errorOf(agent.call('flaky:look'))).facts.attempts).toBe(2)
    expect(attempts('look')).toBe(2)
  })

  it('is not retried after an answer, even an error', async () => {
    const agent = await connectFlaky()
    flaky.fates = ['fail']
    expect(await agent.call('flaky:look')).toMatchObject({ isError: true })
    expect(attempts('look')).toBe(1)
  })

  it('has one deadline for all attempts', async () => {
    const agent = await connectFlaky({ retry: { attempts: 50, delayMs: 40, maxDelayMs: 40 } })
    await agent.tools()
    flaky.fates = Array.from({ length: 50 }, () => 'slow 502' as const)
    const passed = startWatch()
    expect((await errorOf(agent.call('flaky:look', {}, { timeoutMs: 1000 }))).mayHaveRun).toBe(true)
    expect(passed()).toBeLessThan(5000)
    expect(attempts('look')).toBeLessThanOrEqual(3)
    expect(attempts('look')).toBeGreaterThanOrEqual(2)
  })

  it('ends at its deadline, without another attempt', async () => {
    const agent = await connectFlaky()
    flaky.fates = ['hang', 'hang', 'hang']
    const error = await errorOf(agent.call('flaky:look', { n: 'hung' }, { timeoutMs: 500 }))
    expect(error).toMatchObject({ code: 'upstream_timeout', mayHaveRun: true })
    expect(flaky.callsOf('look').filter(({ args }) => args.n === 'hung')).toHaveLength(1)
  })

  it('can be cancelled between two attempts', async () => {
    const agent = await connectFlaky({ retry: { attempts: 5, delayMs: 60_000, maxDelayMs: 60_000 } })
    // The delay is random and may be short; none of the attempts succeeds.
    flaky.fates = ['cut', 'cut', 'cut', 'cut', 'cut']
    const controller = new AbortController()
    const call = agent.call('flaky:look', {}, { signal: controller.signal, timeoutMs: 600_000 })
    await expect.poll(() => attempts('look')).toBeGreaterThan(0)
    controller.abort()
    expect((await errorOf(call)).code).toBe('cancelled')
    expect(attempts('look')).toBeLessThan(5)
  })
})

describe('an unreachable server', () => {
  it('does not affect other servers', async () => {
    const sick = await new FlakyServer().open()
    const problems: string[] = []
    const agent = await connect({
      servers: asServers({ sick: sick.config(), flaky: flaky.config() }),
      onProblem: ({ code }) => problems.push(code),
      recheckMs: 0,
    })
    await sick.close()
    expect(textOf(await agent.call('flaky:look', { n: 1 }))).toBe('{"n":1}')
    expect(problems).toEqual([])
    expect((await agent.tools()).filter(({ server }) => server === 'flaky')).toHaveLength(4)
    expect(problems).toHaveLength(1)
    expect((await errorOf(agent.call('sick:look'))).mayHaveRun).toBe(false)
  })
})

describe('a server that exits', () => {
  it('is restarted for the next call', async () => {
    const agent = await connect({ servers: asServers({ mortal: stdioServer('mortal', witness) }) })
    const first = textOf(await agent.call('mortal:pid'))
    const error = await errorOf(agent.call('mortal:die_writing'))
    expect(error).toMatchObject({ code: 'upstream_unavailable', mayHaveRun: true })
    const second = textOf(await agent.call('mortal:pid'))
    expect(second).not.toBe(first)
    const writes = witness.of('mortal').filter(({ raw }) => raw?.includes('die_writing'))
    expect(writes).toHaveLength(1)
  })

  it('is restarted without a failed attempt if it exited between two calls', async () => {
    const servers = asServers({ brief: stdioServer('brief', witness) })
    const agent = await connect({ servers, retry: { attempts: 1 } })
    const first = textOf(await agent.call('brief:pid'))
    process.kill(Number(first), 'SIGKILL')
    await expect.poll(() => isAlive(Number(first))).toBe(false)
    await new Promise(resolve => setTimeout(resolve, 200))
    expect(textOf(await agent.call('brief:pid'))).not.toBe(first)
  })

  it('gets a new session after it lost the old one', async () => {
    const agent = await connect({
      servers: asServers({ forgetful: await httpServer('forgetful', witness, ['--era', 'legacy']) }),
    })
    expect(textOf(await agent.call('forgetful:echo', { n: 1 }))).toBe('{"n":1}')
    witness.tell('forgetful', { kind: 'forget' })
    await expect.poll(async () => textOf(await agent.call('forgetful:echo', { n: 2 }))).toBe('{"n":2}')
  })
})
