import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readAllRows } from '../store/audit-log/test-support/tamper-with-rows.ts'
import { type Setting, TestCorridor, type Walk } from './test-support/corridor.ts'
import { expectEnd } from './test-support/expect-end.ts'
import { type At, ORDER } from './test-support/watch-deps.ts'

let corridor: TestCorridor
const open = async (setting: Setting = {}) => {
  corridor = await new TestCorridor().start(setting)
}
// The check before a call is sent goes by how long ago the call was judged, which is never here.
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(async () => {
  vi.useRealTimers()
  await corridor.stop()
})

/** The server has a call, and does not answer it until it is told to. */
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
/** What it takes to judge a call again, and what is said about it is looked at. */
const AGAIN = ['judge anew', 'load session', 'decide'] as const
const STOPPED = { last: 'recheck', hasIntent: true } as const

describe('a call ends before it is sent', () => {
  it('when it is called off in the line of a server that does one at a time', async () => {
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

  it('where its session cannot remember it', async () => {
    await open()
    corridor.away.add('sessions.save')
    const end = { last: 'note session', code: 'overloaded', row: ['allow', 'failed', 0] } as const
    await expectEnd(corridor, await corridor.call('write'), end)
  })

  it('where it cannot be written down', async () => {
    await open()
    corridor.away.add('audit.append')
    const walk = await corridor.call('write')
    corridor.away.clear()
    const end = { last: 'write intent', code: 'overloaded', row: ['allow', 'failed', 0] } as const
    await expectEnd(corridor, walk, end)
  })

  it('where its tool was switched off meanwhile', async () => {
    await open()
    const walk = await corridor.call('write', { at: { forward: () => corridor.switchOff('write') } })
    const end = { ...STOPPED, code: 'quarantined', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, walk, end)
  })

  it.each([
    ['policies came to forbid it', 'policy_denied', 'deny', () => corridor.configure(NO_WRITES)],
    [
      'a person has to be asked by now',
      'confirmation_required',
      'confirm',
      () => corridor.configure(ASK_FIRST),
    ],
    ['its token may only read by now', 'permission_denied', 'deny', () => corridor.narrow(READS_ONLY)],
  ])('where %s', async (_, code, verdict, forward) => {
    await open()
    const walk = await corridor.call('write', { at: { forward } })
    await expectEnd(corridor, walk, { ...STOPPED, more: AGAIN, code, row: [verdict, 'refused', 0] })
  })

  it.each([
    ['does not reach the tool any more', () => corridor.narrow(NOT_WRITE), ['load session']],
    ['was revoked', () => corridor.tokens.revoke('bot'), ['load session']],
  ] as const)('where its token %s', async (_, forward, more) => {
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

  it('where its session has touched private data and untrusted content meanwhile', async () => {
    await open({ config: { confirm: { trifecta: 'deny', acrossSessions: false } } })
    const walk = await corridor.call('mail', { at: { confirm: () => corridor.call('browse') } })
    const end = { ...STOPPED, more: AGAIN, code: 'trifecta', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, walk, { ...end, others: ['browse'] })
  })

  it('where one that is about to be sent in its session communicates externally', async () => {
    await open({ config: { confirm: { trifecta: 'deny', acrossSessions: false } } })
    let other: Promise<Walk> | undefined
    await corridor.call('mail', { at: { forward: () => (other = corridor.call('browse')) } })
    expect((await other)?.outcome).toMatchObject({ refusal: { code: 'trifecta' } })
    expect(corridor.calls).toEqual(['mail'])
  })

  it('where the store is away when it has to be judged again', async () => {
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

  it('where the connection that it would go over says something else of its tool', async () => {
    await open({ server: { isolation: 'session' } })
    corridor.definitions = [
      { name: 'write', description: 'Something else.', inputSchema: { type: 'object' } },
    ]
    const end = { ...STOPPED, more: ['inspect'], code: 'quarantined', row: ['allow', 'failed', 1] } as const
    await expectEnd(corridor, await corridor.call('write'), end)
  })

  it('where too many wait for its server already', async () => {
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

  it('when it is called off just before', async () => {
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

  it('when it is called off while it waits for its server', async () => {
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
  ] as const)('with a fault of ours, in the step %s', async (last, attempts, hasIntent) => {
    await open()
    const fault = () => {
      throw new Error('a fault')
    }
    const walk = await corridor.call('write', { at: { [last]: fault } })
    await expectEnd(corridor, walk, { last, code: 'fault', row: ['allow', 'failed', attempts], hasIntent })
  })

  it('gives its turn back with a fault of ours, too', async () => {
    await open({ server: { parallel: 'exclusive-writes' } })
    const fault = () => {
      throw new Error('a fault')
    }
    await corridor.call('write', { at: { forward: fault } })
    expect((await corridor.call('write')).outcome?.kind).toBe('answered')
  })
})

describe('a call that is allowed', () => {
  it.each(['look', 'write'])('takes all steps in order: %s', async tool => {
    await open({ server: { parallel: 'exclusive-writes' } })
    const walk = await corridor.call(tool)
    expect(walk.steps).toEqual(ORDER)
    expect(corridor.calls).toEqual([tool])
    const rows = (await corridor.rowsOf(walk)).map(({ kind, outcome }) => `${kind} ${outcome}`)
    expect(rows).toEqual(tool === 'look' ? ['call answered'] : ['intent ', 'outcome answered'])
  })

  it('is in the log, and in the memory of its session, before its server hears of it', async () => {
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

  it('with the yes of a person uses it up before it is written down and sent', async () => {
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
