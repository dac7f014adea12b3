import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Asking, type Part, type Setting, TestCorridor } from './test-support/corridor.ts'
import { type End, expectEnd } from './test-support/expect-end.ts'

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

interface Refusal extends Omit<End, 'row'> {
  readonly row?: End['row']
  readonly tool?: string
  readonly asking?: Asking
  readonly setting?: Setting
  readonly away?: Part
}

const READ = { variant: 'call_tool_read' } as const
const STORE_AWAY = { code: 'overloaded', row: ['', 'failed', 0] } as const
const NO_READS = { scope: { permissions: ['call_tool_write', 'call_tool_destructive'] } } as const
const TOO_MANY = { rows: Array.from({ length: 150_000 }, (_, at) => at) }

/** Refusals in the order of a call's steps. */
const REFUSALS: Readonly<Record<string, Refusal>> = {
  'of a tool that does not exist': { tool: 'nothing', last: 'list tools', code: 'unknown_tool' },
  'of a tool out of scope, before anything is loaded': {
    asking: { scope: { tools: ['s:look'] } },
    code: 'unknown_tool',
  },
  'of a server whose tools cannot be listed': {
    setting: { isListed: false },
    last: 'list tools',
    code: 'upstream_unavailable',
    row: ['', 'failed', 0],
  },
  'of a tool that waits for review': {
    setting: { server: { trust: 'reviewed' } },
    last: 'list tools',
    code: 'quarantined',
  },
  'whose arguments are not an object': {
    asking: { arguments: ['id'] },
    last: 'list tools',
    code: 'invalid_arguments',
  },
  'that cannot be judged, because the store is down': {
    away: 'sessions.find',
    last: 'load session',
    ...STORE_AWAY,
  },
  'that reads, if the config does not let reads continue without the store': {
    tool: 'look',
    away: 'sessions.find',
    last: 'load session',
    ...STORE_AWAY,
  },
  'that its token does not permit': {
    tool: 'look',
    asking: NO_READS,
    last: 'decide',
    code: 'permission_denied',
  },
  'that claims to be a read': {
    asking: { claim: READ },
    last: 'decide',
    code: 'intent_mismatch',
  },
  'that a policy forbids': {
    setting: { policy: '  - { id: no, effect: deny, reason: never, tools: "s:write" }' },
    last: 'decide',
    code: 'policy_denied',
  },
  'that a guardrail stops': {
    setting: { config: { guardrails: [{ rule: 'keyword_block', keywords: ['ghost'] }] } },
    asking: { arguments: { id: 'ghost' } },
    last: 'decide',
    code: 'guardrail_blocked',
  },
  'that brings private data, untrusted content and external communication together': {
    setting: { config: { confirm: { trifecta: 'deny', acrossSessions: false } } },
    tool: 'leak',
    last: 'decide',
    code: 'trifecta',
  },
  'whose arguments do not fit the schema': {
    asking: { arguments: { id: 7 } },
    last: 'check arguments',
    code: 'invalid_arguments',
  },
  'with more in its arguments than can be checked': {
    asking: { arguments: TOO_MANY },
    last: 'check arguments',
    code: 'invalid_arguments',
  },
  'that cannot be counted, because the store is down': {
    away: 'rates.take',
    last: 'count',
    code: 'overloaded',
    row: ['allow', 'failed', 0],
  },
}

describe('the corridor refuses a call', () => {
  it.each(Object.entries(REFUSALS))('%s', async (_, refusal) => {
    const { setting, tool = 'write', asking = {}, away, ...end } = refusal
    corridor = new TestCorridor()
    if (setting?.isListed === false) corridor.definitions = undefined
    await corridor.start(setting ?? {})
    if (away !== undefined) corridor.away.add(away)
    const walk = await corridor.call(tool, asking)
    await expectEnd(corridor, walk, { row: ['deny', 'refused', 0], ...end })
  })

  it('in the same words for a tool that is out of scope and one that does not exist', async () => {
    await open()
    const there = await corridor.call('write', { scope: { tools: ['s:look'] } })
    const nowhere = await corridor.call('wrote')
    expect(JSON.stringify(there.outcome).replaceAll('write', 'wrote')).toBe(JSON.stringify(nowhere.outcome))
  })

  it("with the operator's sentence inside its own", async () => {
    const policy = '  - { id: no, effect: deny, reason: No writes at night., tools: "s:write" }'
    await open({ policy })
    const { outcome } = await corridor.call('write')
    expect(outcome).toMatchObject({
      refusal: { message: expect.stringMatching(/s:write.*: No writes at night\.$/) },
    })
  })

  it('of a server whose circuit breaker is open', async () => {
    await open()
    await corridor.upstream.stop()
    while (!corridor.server.isBreakerOpen) await corridor.call('look')
    const end = {
      last: 'check arguments',
      code: 'upstream_unavailable',
      row: ['allow', 'failed', 0],
    } as const
    await expectEnd(corridor, await corridor.call('write'), end)
  })

  it('over the rate limit of its server', async () => {
    await open({ server: { rate: '1/h' } })
    await corridor.call('look')
    const end = {
      last: 'count',
      code: 'rate_limited',
      row: ['deny', 'refused', 0],
      others: ['look'],
    } as const
    await expectEnd(corridor, await corridor.call('write'), end)
  })
})

describe('the corridor lets a read continue', () => {
  it.each(['sessions.find', 'rates.take'] as const)('without %s if the config allows it', async away => {
    await open({ config: { audit: { failOpenReads: true } } })
    corridor.away.add(away)
    expect((await corridor.call('look')).outcome?.kind).toBe('answered')
    expect((await corridor.call('write')).outcome).toMatchObject({ refusal: { code: 'overloaded' } })
    expect(corridor.calls).toEqual(['look'])
  })
})
