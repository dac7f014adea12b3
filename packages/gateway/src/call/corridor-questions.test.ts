import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { FORM_KEY } from '../approvals/form.ts'
import { type Asking, type Setting, TestCorridor, type Walk } from './test-support/corridor.ts'
import { expectEnd } from './test-support/expect-end.ts'

let corridor: TestCorridor
const open = async (setting: Setting = {}) => {
  corridor = await new TestCorridor().start(setting)
}
beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(async () => {
  vi.useRealTimers()
  await corridor.stop()
})

/** A config in which the caller waits until a person has answered. */
const HOLDS = { config: { confirm: { wait: '10m' } } }
const FORMS = { capabilities: { elicitation: { form: {} } } }
const APPROVE = { [FORM_KEY]: { action: 'accept', content: { decision: 'approve' } } }
/** The steps of a question. The session is read because its risk factors are shown to the person who decides. */
const ASKS = ['ask a person', 'load session'] as const
/** The steps of judging a call again. */
const AGAIN = ['judge anew', 'load session', 'decide'] as const
const LOST = { last: 'confirm', code: -32602, row: ['allow', 'error', 0] } as const
const OVER = { last: 'confirm', code: 'confirmation_expired', row: ['deny', 'refused', 0] } as const

function say(id: string, verdict: 'approved' | 'denied') {
  return corridor.parts.approvals.decide(id, { verdict, by: 'person:ada', via: 'console' })
}

/** Lets a person answer as soon as they are asked. */
function onAsked(answer: (id: string) => unknown): void {
  corridor.onAsked = answer
}

function stateOf({ outcome }: Walk): string {
  return outcome?.kind === 'answered' ? String(outcome.result.requestState) : ''
}

const carrying = (state: string, more: object = {}): Asking => ({
  ...FORMS,
  params: { requestState: state, ...more },
})

function sealed(about: { readonly caller: string; readonly tool: string }): Asking {
  return carrying(corridor.parts.sealer.seal({ approval: 'ap_1', inner: '', ...about }))
}

describe('a call that needs approval ends', () => {
  it.each([
    ['allowed', 'write', 'allow'],
    ['subject to approval', 'delete', 'confirm'],
  ] as const)('with a changed request state, if it is %s', async (_, tool, verdict) => {
    await open()
    const state = corridor.parts.sealer.seal({ approval: 'ap_1', caller: 'agent:bot', tool: `s:${tool}` })
    const at = Math.floor(state.length / 2)
    const changed = state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
    const walk = await corridor.call(tool, carrying(changed))
    await expectEnd(corridor, walk, { ...LOST, row: [verdict, 'error', 0] })
  })

  it.each([
    ['another caller', { caller: 'agent:eve', tool: 's:write' }],
    ['another tool', { caller: 'agent:bot', tool: 's:mail' }],
  ])('with the request state of %s', async (_, about) => {
    await open()
    await expectEnd(corridor, await corridor.call('write', sealed(about)), LOST)
  })

  it('if no person can be asked', async () => {
    await open()
    const end = { last: 'confirm', more: ASKS, code: 'confirmation_required' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['confirm', 'refused', 0] })
  })

  it('if it is too long to show, without a question', async () => {
    await open()
    const walk = await corridor.call('delete', { arguments: { id: 'x'.repeat(300_000) } })
    const end = { last: 'confirm', code: 'invalid_arguments', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, walk, end)
  })

  it('if its caller has too many open questions', async () => {
    await open()
    for (let id = 0; id < 100; id++) await corridor.call('delete', { arguments: { id: `${id}` } })
    const end = { last: 'confirm', more: ['ask a person'], code: 'overloaded' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['confirm', 'failed', 0] })
  })

  it('with a question that its client brings back', async () => {
    await open()
    const walk = await corridor.call('delete', FORMS)
    expect(walk.steps).toEqual(expect.arrayContaining(['ask a person']))
    expect(corridor.calls).toEqual([])
    expect(await corridor.rowsOf(walk)).toMatchObject([
      { kind: 'call', verdict: 'confirm', outcome: 'asked', attempts: 0 },
    ])
  })

  it('after a no, which is also judged by the current rules', async () => {
    await open(HOLDS)
    onAsked(id => say(id, 'denied'))
    const end = { last: 'confirm', more: [...ASKS, ...AGAIN], code: 'confirmation_denied' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['deny', 'refused', 0] })
  })

  it('after an earlier no, without a new question', async () => {
    await open()
    const asked: string[] = []
    onAsked(id => asked.push(id))
    await corridor.call('delete')
    await say(String(asked), 'denied')
    const end = { last: 'confirm', code: 'confirmation_denied', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, await corridor.call('delete'), end)
    expect(asked).toHaveLength(1)
  })

  it('with an approval that was already used', async () => {
    await open()
    const again = carrying(stateOf(await corridor.call('delete', FORMS)), { inputResponses: APPROVE })
    expect((await corridor.call('delete', again)).outcome?.kind).toBe('answered')
    await expectEnd(corridor, await corridor.call('delete', again), { ...OVER, others: ['delete'] })
  })

  it('with an unknown approval', async () => {
    await open()
    const state = stateOf(await corridor.call('delete', FORMS))
    await corridor.store.approvals.removeBefore(Date.now() + 60 * 60_000)
    await expectEnd(
      corridor,
      await corridor.call('delete', carrying(state, { inputResponses: APPROVE })),
      OVER,
    )
  })

  it('with an approval for other arguments', async () => {
    await open()
    const state = stateOf(await corridor.call('delete', FORMS))
    const other = { ...carrying(state, { inputResponses: APPROVE }), arguments: { id: '2' } }
    await expectEnd(corridor, await corridor.call('delete', other), OVER)
  })

  it('if it is cancelled while a person decides', async () => {
    await open(HOLDS)
    const isAsked = new Promise(resolve => onAsked(resolve))
    const { exchange, ended } = await corridor.begin('delete')
    await isAsked
    exchange.cancel()
    const end = { last: 'confirm', more: ASKS, code: 'cancelled' } as const
    await expectEnd(corridor, await ended, { ...end, row: ['confirm', 'cancelled', 0] })
  })

  it('if a policy forbids it while a person decides, even after a yes', async () => {
    await open(HOLDS)
    onAsked(async id => {
      await corridor.configure('  - { id: no, effect: deny, reason: never, tools: "s:delete" }')
      await say(id, 'approved')
    })
    const end = { last: 'confirm', more: [...ASKS, ...AGAIN], code: 'policy_denied' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['deny', 'refused', 0] })
  })

  it('if the question changes while a person decides', async () => {
    await open(HOLDS)
    onAsked(async id => {
      await corridor.configure('  - { id: ask, effect: confirm, reason: it is new, tools: "s:delete" }')
      await say(id, 'approved')
    })
    const end = { ...OVER, more: [...ASKS, ...AGAIN] }
    await expectEnd(corridor, await corridor.call('delete'), end)
  })

  it('if its tool is disabled while a person decides', async () => {
    await open(HOLDS)
    onAsked(async id => {
      await corridor.switchOff('delete')
      await say(id, 'approved')
    })
    await expectEnd(corridor, await corridor.call('delete'), { ...OVER, more: ASKS })
  })
})
