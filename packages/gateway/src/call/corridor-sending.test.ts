import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAllRows } from '../store/audit-log/test-support/tamper-with-rows.ts'
import { type Setting, TestCorridor, type Walk } from './test-support/corridor.ts'
import { expectEnd } from './test-support/expect-end.ts'
import { type At, ORDER } from './test-support/watch-deps.ts'

let corridor: TestCorridor
const open = async (setting: Setting = {}) => {
  corridor = await new TestCorridor().start(setting)
}
// The check before sending depends on how long ago the call was judged. With this clock, the call has always just been
// judged.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(async () => {
  vi.useRealTimers()
  await corridor.stop()
})

/** Makes the server hold a call until the test lets the server answer. */
function hold() {
  let letGo = (): void => {}
  const isThere = new Promise<void>(resolve => {
    corridor.onCall = () => {
      resolve()
      return new Promise<void>(answer => (letGo = answer))
    }
  })
  return { isThere, letGo: () => letGo() }
}

const NO_WRITES = '  - { id: no, effect: deny, reason: never, tools: "s:write" }'
const ASK_FIRST = '  - { id: ask, effect: confirm, reason: it is new, tools: "s:write" }'
const READS_ONLY = { permissions: ['call_tool_read'], servers: ['*'] } as const
const NOT_WRITE = { permissions: ['call_tool_write'], servers: ['*'], tools: ['s:look'] } as const
/** The steps of judging a call again, including those that read the facts. */
const AGAIN = ['judge anew', 'load session', 'decide'] as const
const STOPPED = { last: 'recheck', hasIntent: true } as const

describe('a call ends before it is sent', () => {
  it('if it is cancelled while it waits for its turn', async () => {
    await open({ server: { parallel: 'exclusive-writes' } })
    const { isThere, letGo } = hold()
    const first = await corridor.begin('write')
    await isThere
    const at: At = { 'take turn': () => setImmediate(() => second.exchange.cancel()) }
    const second = await corridor.begin('write', { at })
    const walk = await second.ended
    letGo()
    await first.ended
    const end = { last: 'take turn', code: 'cancelled', row: ['allow', 'cancelled', 0] } as const
    await expectEnd(corridor, walk, { ...end, others: ['write'] })
  })

  it('if its session cannot be stored', async () => {
    await open()
    corridor.away.add('sessions.save')
    const end = { last: 'note session', code: 'overloaded', row: ['allow', 'failed', 0] } as const
    await expectEnd(corridor, await corridor.call('write'), end)
  })

  it('if it cannot be recorded', async () => {
    await open()
    corridor.away.add('audit.append')
    const walk = await corridor.call('write')
    corridor.away.clear()
    const end = { last: 'write intent', code: 'overloaded', row: ['allow', 'failed', 0] } as const
    await expectEnd(corridor, walk, end)
  })

  it('if its tool has been disabled', async () => {
    await open()
    const walk = await corridor.call('write', { at: { forward: () => corridor.switchOff('write') } })
    const end = { ...STOPPED, code: 'quarantined', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, walk, end)
  })

  it.each([
    ['a policy now denies it', 'policy_denied', 'deny', () => corridor.configure(NO_WRITES)],
    ['it now needs approval', 'confirmation_required', 'confirm', () => corridor.configure(ASK_FIRST)],
    ['its token now permits only reads', 'permission_denied', 'deny', () => corridor.narrow(READS_ONLY)],
  ])('if %s', async (_, code, verdict, forward) => {
    await open()
    const walk = await corridor.call('write', { at: { forward } })
    await expectEnd(corridor, walk, { ...STOPPED, more: AGAIN, code, row: [verdict, 'refused', 0] })
  })

  it.each([
    ['no longer reaches the tool', () => corridor.narrow(NOT_WRITE), ['load session']],
    ['was revoked', () => corridor.tokens.revoke('bot'), ['load session']],
  ] as const)('if its token %s', async (_, forward, more) => {
    await open()
    const walk = await corridor.call('write', { at: { forward } })
    const steps = ['judge anew', ...more] as const
    await expectEnd(corridor, walk, {
      ...STOPPED,
      more: steps,
      code: 'unknown_tool',
      row: ['deny', 'refused', 0],
    })
  })

  it('if its session has since touched private data and untrusted content', async () => {
    await open({ config: { confirm: { trifecta: 'deny', acrossSessions: false } } })
    const walk = await corridor.call('mail', { at: { confirm: () => corridor.call('browse') } })
    const end = { ...STOPPED, more: AGAIN, code: 'trifecta', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, walk, { ...end, others: ['browse'] })
  })

  it('if another call of its session is about to communicate externally', async () => {
    await open({ config: { confirm: { trifecta: 'deny', acrossSessions: false } } })
    let other: Promise<Walk> | undefined
    await corridor.call('mail', { at: { forward: () => (other = corridor.call('browse')) } })
    expect((await other)?.outcome).toMatchObject({ refusal: { code: 'trifecta' } })
    expect(corridor.calls).toEqual(['mail'])
  })

  it('if the store is down when it must be judged again', async () => {
    await open()
    const forward = () => {
      corridor.parts.sessions.forget()
      corridor.away.add('sessions.find')
      return corridor.configure(ASK_FIRST)
    }
    const walk = await corridor.call('write', { at: { forward } })
    const end = { ...STOPPED, code: 'overloaded', row: ['allow', 'failed', 0] } as const
    await expectEnd(corridor, walk, { ...end, more: ['judge anew', 'load session'] })
  })

  it('if its connection lists a different definition of its tool', async () => {
    await open({ server: { isolation: 'session' } })
    corridor.definitions = [
      { name: 'write', description: 'Something else.', inputSchema: { type: 'object' } },
    ]
    const end = { ...STOPPED, more: ['inspect'], code: 'quarantined', row: ['allow', 'failed', 1] } as const
    await expectEnd(corridor, await corridor.call('write'), end)
  })

  it('if too many calls wait for its server', async () => {
    await open({ server: { concurrency: 1, queue: 0 } })
    const { isThere, letGo } = hold()
    const first = await corridor.begin('look')
    await isThere
    const walk = await corridor.call('write')
    letGo()
    await first.ended
    const end = { last: 'send', more: ['inspect'], code: 'overloaded', row: ['allow', 'failed', 1] } as const
    await expectEnd(corridor, walk, { ...end, hasIntent: true, others: ['look'] })
  })

  it('if it is cancelled just before', async () => {
    await open()
    const call = await corridor.begin('write', { at: { forward: () => call.exchange.cancel() } })
    const end = {
      last: 'forward',
      more: ['inspect'],
      code: 'cancelled',
      row: ['allow', 'cancelled', 1],
    } as const
    await expectEnd(corridor, await call.ended, { ...end, hasIntent: true })
  })

  it('if it is cancelled while it waits for its server', async () => {
    await open({ server: { concurrency: 1 } })
    const { isThere, letGo } = hold()
    const first = await corridor.begin('look')
    await isThere
    const at: At = { send: () => setImmediate(() => call.exchange.cancel()) }
    const call = await corridor.begin('write', { at })
    const walk = await call.ended
    letGo()
    await first.ended
    const end = {
      last: 'send',
      more: ['inspect'],
      code: 'cancelled',
      row: ['allow', 'cancelled', 1],
    } as const
    await expectEnd(corridor, walk, { ...end, hasIntent: true, others: ['look'] })
  })

  it.each([
    ['confirm', 0, false],
    ['forward', 0, true],
  ] as const)('with a fault of the gateway in the step %s', async (last, attempts, hasIntent) => {
    await open()
    const fault = () => {
      throw new Error('a fault')
    }
    const walk = await corridor.call('write', { at: { [last]: fault } })
    await expectEnd(corridor, walk, { last, code: 'fault', row: ['allow', 'failed', attempts], hasIntent })
  })

  it('and releases its turn even after a fault of the gateway', async () => {
    await open({ server: { parallel: 'exclusive-writes' } })
    const fault = () => {
      throw new Error('a fault')
    }
    await corridor.call('write', { at: { forward: fault } })
    expect((await corridor.call('write')).outcome?.kind).toBe('answered')
  })
})

describe('an allowed call', () => {
  it.each(['look', 'write'])('takes all steps in order: %s', async tool => {
    await open({ server: { parallel: 'exclusive-writes' } })
    const walk = await corridor.call(tool)
    expect(walk.steps).toEqual(ORDER)
    expect(corridor.calls).toEqual([tool])
    const rows = (await corridor.rowsOf(walk)).map(({ kind, outcome }) => `${kind} ${outcome}`)
    expect(rows).toEqual(tool === 'look' ? ['call answered'] : ['intent ', 'outcome answered'])
  })

  it('is in the log and in the memory of its session before its server receives it', async () => {
    await open()
    let seen: unknown
    corridor.onCall = async () => {
      const rows = readAllRows(corridor.file).map(({ kind, tool }) => `${kind} ${tool}`)
      const session = await corridor.store.sessions.find('agent:bot')
      seen = { rows, riskFactors: Object.keys(JSON.parse(session?.riskFactors ?? '{}')) }
    }
    await corridor.call('write')
    expect(seen).toEqual({ rows: ['intent write'], riskFactors: ['untrusted_content'] })
  })

  it('uses up its approval before it is recorded and sent', async () => {
    await open()
    const asked: string[] = []
    corridor.onAsked = id => asked.push(id)
    await corridor.call('delete')
    await corridor.parts.approvals.decide(String(asked), {
      verdict: 'approved',
      by: 'person:ada',
      via: 'cli',
    })
    const { steps } = await corridor.call('delete')
    const at = ORDER.indexOf('confirm') + 1
    const again = ['judge anew', 'load session', 'decide']
    const [before, after] = [ORDER.slice(0, at), ORDER.slice(at)]
    expect(steps.filter(step => !again.includes(step))).toEqual(
      [...before, 'spend the approval', ...after].filter(step => !again.includes(step)),
    )
    expect(corridor.calls).toEqual(['delete'])
  })
})
