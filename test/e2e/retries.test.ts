import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { FlakyServer } from '../faults/flaky-server.ts'
import { cleanUp } from '../support/clean-up.ts'
import { type Gateway, startReadyGateway, stdioServer } from '../support/gateway.ts'
import { hintgate } from '../support/hintgate.ts'
import { isAlive } from '../support/processes.ts'
import { type Json, LegacyClient, type Message, ModernClient, refusalOf, textOf } from '../support/raw-mcp.ts'
import { refusal } from '../support/search-client.ts'
import { startWatch } from '../support/stopwatch.ts'
import { openWitness, type Witness } from '../support/witness.ts'

let witness: Witness
let flaky: FlakyServer
let firm: FlakyServer
let brief: FlakyServer
let patient: FlakyServer
let gateway: Gateway
let token: string

beforeAll(async () => {
  witness = await openWitness()
  flaky = await new FlakyServer().open()
  firm = await new FlakyServer().open()
  brief = await new FlakyServer().open()
  patient = await new FlakyServer().open()
  gateway = await startReadyGateway({
    mcpServers: {
      flaky: flaky.config({ retry: { attempts: 3, delay: '20ms', budget: 1 } }),
      firm: firm.config({ retry: false }),
      brief: brief.config({ timeout: '600ms', retry: { attempts: 10, delay: '200ms', maxDelay: '200ms' } }),
      patient: patient.config({ retry: { attempts: 10, delay: '200ms', maxDelay: '400ms' } }),
      mortal: stdioServer('mortal', witness),
    },
  })
  token = await gateway.site.token()
})
afterAll(cleanUp)
beforeEach(async () => {
  for (const [name, server] of Object.entries({ flaky, firm, brief })) {
    server.fates = []
    await calm(name)
    server.seen.length = 0
  }
})

/** Makes the circuit breaker forget earlier failures. */
async function calm(name: string): Promise<void> {
  await expect.poll(async () => refusalOf(await call(name, 'look'))).toBeUndefined()
  await Promise.all(Array.from({ length: 20 }, () => call(name, 'look')))
}

const call = (server: string, tool: string, args: Json = {}): Promise<Message> =>
  new ModernClient(gateway.endpoint(server), token).call(tool, args)

const attemptsOf = ({ result }: Message): unknown =>
  (result?._meta as Json | undefined)?.['io.hintgate/attempts']

/** The audit rows of calls with this argument, newest first. */
async function audited(mark: string): Promise<readonly Json[]> {
  const { stdout } = await hintgate(['audit', 'query', '--limit', '50', '--json', ...gateway.site.flags])
  const { calls } = JSON.parse(stdout) as { calls: Json[] }
  return calls.filter(({ args }) => (args as Json | undefined)?.mark === mark)
}

describe('a call without an answer', () => {
  it.each(['cut', 502, 503, 504] as const)('is sent again if it only reads (%s)', async fate => {
    flaky.fates = [fate, fate]
    const answer = await call('flaky', 'look', { mark: `read ${fate}` })
    expect(textOf(answer)).toContain(`read ${fate}`)
    expect(attemptsOf(answer)).toBe(3)
    expect(flaky.callsOf('look')).toHaveLength(3)
    await expect.poll(() => audited(`read ${fate}`)).toMatchObject([{ outcome: 'answered', attempts: 3 }])
  })

  it('is sent again if it is idempotent', async () => {
    flaky.fates = ['cut']
    expect(attemptsOf(await call('flaky', 'put', { mark: 'put' }))).toBe(2)
    expect(flaky.callsOf('put')).toHaveLength(2)
    expect(await audited('put')).toMatchObject([{ outcome: 'answered', attempts: 2 }])
  })

  it.each(['cut', 502, 503, 504] as const)('is not sent again if it may do more (%s)', async fate => {
    flaky.fates = [fate]
    const { code, remedy } = refusal(await call('flaky', 'add', { mark: `add ${fate}` }))
    expect(code).toBe('upstream_unavailable')
    expect(remedy).toContain('executed')
    expect(flaky.callsOf('add')).toHaveLength(1)
    expect(await audited(`add ${fate}`)).toMatchObject([{ outcome: 'failed', attempts: 1 }])
  })

  it('is sent again in any case if it certainly never arrived', async () => {
    await patient.close()
    await sleep(50)
    setTimeout(() => void patient.open(), 150)
    const answer = await call('patient', 'add', { n: 1 })
    expect(textOf(answer)).toBe('{"n":1}')
    expect(attemptsOf(answer)).toBeGreaterThan(1)
    expect(patient.callsOf('add')).toHaveLength(1)
  })

  it('is not sent again after a question in it was answered', async () => {
    flaky.fates = ['cut']
    const client = new ModernClient(gateway.endpoint('flaky'), token)
    const params = {
      name: 'look',
      arguments: {},
      requestState: 'of the server',
      inputResponses: { which: {} },
    }
    expect(refusalOf(await client.request('tools/call', params))).toBe('upstream_unavailable')
    expect(flaky.callsOf('look')).toHaveLength(1)
  })

  it('fails after all attempts, with their number', async () => {
    flaky.fates = ['cut', 'cut', 'cut']
    const { code, message, remedy } = refusal(await call('flaky', 'look', { mark: 'in vain' }))
    expect(code).toBe('upstream_unavailable')
    expect(message).toContain('3 attempts')
    expect(remedy).toContain('Nothing was changed')
    expect(flaky.callsOf('look')).toHaveLength(3)
  })

  it('has an unknown outcome if it changes something, however the last attempt ended', async () => {
    flaky.fates = ['leave']
    const { message, remedy } = refusal(await call('flaky', 'put'))
    await flaky.open()
    expect(message).toContain('3 attempts')
    expect(remedy).toContain('executed')
    expect(flaky.callsOf('put')).toHaveLength(1)
  })

  it('is not sent again if the config forbids it', async () => {
    firm.fates = ['cut']
    expect(refusalOf(await call('firm', 'look'))).toBe('upstream_unavailable')
    expect(firm.callsOf('look')).toHaveLength(1)
  })

  it('has one deadline for all attempts', async () => {
    brief.fates = ['slow 502', 'hang']
    const passed = startWatch(gateway.pid)
    // The pause is random and may be too long for a second attempt.
    const code = refusalOf(await call('brief', 'look'))
    expect(code).toBeOneOf(['upstream_timeout', 'upstream_unavailable'])
    expect(passed()).toBeLessThan(1050)
  })

  it('is not sent again if its caller is gone', async () => {
    brief.fates = [502, 502, 502, 502]
    const reply = new ModernClient(gateway.endpoint('brief'), token).openCall('look')
    await expect.poll(() => brief.callsOf('look').length).toBeGreaterThan(0)
    reply.close()
    await sleep(50)
    const seen = brief.callsOf('look').length
    await sleep(500)
    expect(brief.callsOf('look').length).toBe(seen)
  })
})

describe('a call with an answer', () => {
  it('has no remark about attempts, and is not repeated for a bad answer', async () => {
    flaky.fates = ['answer', 'fail']
    expect((await call('flaky', 'look')).result?._meta).toBeUndefined()
    expect((await call('flaky', 'look')).result?.isError).toBe(true)
    expect(flaky.callsOf('look')).toHaveLength(2)
  })
})

describe('a process that exits during a call', () => {
  it('is started again for a read, and the caller notices nothing', async () => {
    const client = new ModernClient(gateway.endpoint('mortal'), token)
    const pid = Number(textOf(await client.call('pid')))
    const reply = client.openCall('hang', { mark: 'killed' })
    await witness.saw('mortal', 'hanging')
    process.kill(pid, 'SIGKILL')
    const again = await witness.saw('mortal', 'hanging', seen => seen.pid !== pid)
    expect(isAlive(again.pid)).toBe(true)
    witness.tell('mortal', { kind: 'release' })
    const answer = await reply.answer()
    expect(textOf(answer)).toContain('killed')
    expect(attemptsOf(answer)).toBe(2)
  })

  it('does not get a call a third time that made it exit twice', async () => {
    const asked = () => witness.of('mortal').filter(({ raw }) => raw?.includes('"exit"')).length
    const before = asked()
    const { message } = refusal(await call('mortal', 'exit'))
    expect(message).toContain('2 attempts')
    expect(asked()).toBe(before + 2)
  })

  it('does not get a call again after a question was answered in between', async () => {
    const client = await new LegacyClient(gateway.endpoint('mortal'), token).initialize({
      capabilities: { elicitation: {} },
    })
    const pid = Number(textOf(await client.call('pid')))
    const before = witness.of('mortal').filter(({ raw }) => raw?.includes('"ask"')).length
    const form = { message: 'which?', requestedSchema: { type: 'object', properties: {} } }
    const reply = client.openCall('ask', { method: 'elicitation/create', params: form })
    await reply.until('elicitation/create')
    process.kill(pid, 'SIGKILL')
    expect(refusalOf(await reply.answer())).toBe('upstream_unavailable')
    expect(witness.of('mortal').filter(({ raw }) => raw?.includes('"ask"')).length).toBe(before + 1)
  })

  it('does not repeat progress', async () => {
    const client = new ModernClient(gateway.endpoint('mortal'), token)
    const pid = Number(textOf(await client.call('pid')))
    const args = { steps: 2, name: 'p', hold: true }
    const reply = client.open(
      'tools/call',
      { name: 'progress', arguments: args },
      { meta: { progressToken: 't' } },
    )
    await reply.until('notifications/progress')
    await witness.saw(
      'mortal',
      'hanging',
      ({ pid: own, args: said }) => own === pid && (said as Json).name === 'p',
    )
    process.kill(pid, 'SIGKILL')
    await witness.saw(
      'mortal',
      'hanging',
      ({ pid: own, args: said }) => own !== pid && (said as Json).name === 'p',
    )
    witness.tell('mortal', { kind: 'release' })
    expect(textOf(await reply.answer())).toBe('done p')
    const steps = reply.messages.items
      .filter(({ method }) => method === 'notifications/progress')
      .map(({ params }) => params?.progress)
    expect(steps).toEqual([1, 2])
  })
})

describe('a failing server', () => {
  it('gets a limited share of repeated calls', async () => {
    const poor = await new FlakyServer().open()
    const site = await startReadyGateway({
      mcpServers: {
        poor: poor.config({ retry: { attempts: 10, delay: '1ms', maxDelay: '1ms', budget: 0 } }),
      },
    })
    const client = new ModernClient(site.endpoint('poor'), await site.site.token())
    // Every other call is answered, so that the circuit breaker does not open first.
    for (let round = 0; round < 30; round++) {
      poor.fates = ['cut', 'answer', 'answer']
      await client.call('look', { round })
      await client.call('look', { round })
    }
    // Sixty calls, and the initial budget.
    expect(poor.callsOf('look').length).toBeGreaterThan(60)
    expect(poor.callsOf('look').length).toBeLessThanOrEqual(60 + 12)
    await site.stop()
  })
})
