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

/** The caller is held until somebody has answered. */
const HOLDS = { config: { confirm: { wait: '10m' } } }
const FORMS = { capabilities: { elicitation: { form: {} } } }
const APPROVE = { [FORM_KEY]: { action: 'accept', content: { decision: 'approve' } } }
/** What a question takes: the session is looked at for those who have to answer. */
const ASKS = ['ask a person', 'load session'] as const
/** What it takes to judge a call again. */
const AGAIN = ['judge anew', 'load session', 'decide'] as const
const LOST = { last: 'confirm', code: -32602, row: ['allow', 'error', 0] } as const
const OVER = { last: 'confirm', code: 'confirmation_expired', row: ['deny', 'refused', 0] } as const

function say(id: string, verdict: 'approved' | 'denied') {
  return corridor.parts.approvals.decide(id, { verdict, by: 'person:ada', via: 'console' })
}

/** Somebody answers as soon as they are asked. */
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

describe('a call ends where a person is asked', () => {
  it.each([
    ['allowed', 'write', 'allow'],
    ['to be asked about', 'delete', 'confirm'],
  ] as const)(
    'with a request state that was changed on the way, where it is %s',
    async (_, tool, verdict) => {
      await open()
      const state = corridor.parts.sealer.seal({ approval: 'ap_1', caller: 'agent:bot', tool: `s:${tool}` })
      const at = Math.floor(state.length / 2)
      const changed = state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
      const walk = await corridor.call(tool, carrying(changed))
      await expectEnd(corridor, walk, { ...LOST, row: [verdict, 'error', 0] })
    },
  )

  it.each([
    ['somebody else', { caller: 'agent:eve', tool: 's:write' }],
    ['another tool', { caller: 'agent:bot', tool: 's:mail' }],
  ])('with the request state of %s', async (_, about) => {
    await open()
    await expectEnd(corridor, await corridor.call('write', sealed(about)), LOST)
  })

  it('with nobody there to ask', async () => {
    await open()
    const end = { last: 'confirm', more: ASKS, code: 'confirmation_required' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['confirm', 'refused', 0] })
  })

  it('with more in it than a person can be shown, and asks nobody', async () => {
    await open()
    const walk = await corridor.call('delete', { arguments: { id: 'x'.repeat(300_000) } })
    const end = { last: 'confirm', code: 'invalid_arguments', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, walk, end)
  })

  it('with too many questions of its caller open', async () => {
    await open()
    for (let id = 0; id < 100; id++) await corridor.call('delete', { arguments: { id: `${id}` } })
    const end = { last: 'confirm', more: ['ask a person'], code: 'overloaded' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['confirm', 'failed', 0] })
  })

  it('with the question on its way back through its client', async () => {
    await open()
    const walk = await corridor.call('delete', FORMS)
    expect(walk.steps).toEqual(expect.arrayContaining(['ask a person']))
    expect(corridor.calls).toEqual([])
    expect(await corridor.rowsOf(walk)).toMatchObject([
      { kind: 'call', verdict: 'confirm', outcome: 'asked', attempts: 0 },
    ])
  })

  it('with a no, which is judged as of now as well', async () => {
    await open(HOLDS)
    onAsked(id => say(id, 'denied'))
    const end = { last: 'confirm', more: [...ASKS, ...AGAIN], code: 'confirmation_denied' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['deny', 'refused', 0] })
  })

  it('with a no that was said before, and asks nobody again', async () => {
    await open()
    const asked: string[] = []
    onAsked(id => asked.push(id))
    await corridor.call('delete')
    await say(String(asked), 'denied')
    const end = { last: 'confirm', code: 'confirmation_denied', row: ['deny', 'refused', 0] } as const
    await expectEnd(corridor, await corridor.call('delete'), end)
    expect(asked).toHaveLength(1)
  })

  it('with a yes that was used already', async () => {
    await open()
    const again = carrying(stateOf(await corridor.call('delete', FORMS)), { inputResponses: APPROVE })
    expect((await corridor.call('delete', again)).outcome?.kind).toBe('answered')
    await expectEnd(corridor, await corridor.call('delete', again), { ...OVER, others: ['delete'] })
  })

  it('with a question of which nobody knows any more', async () => {
    await open()
    const state = stateOf(await corridor.call('delete', FORMS))
    await corridor.store.approvals.removeBefore(Date.now() + 60 * 60_000)
    await expectEnd(
      corridor,
      await corridor.call('delete', carrying(state, { inputResponses: APPROVE })),
      OVER,
    )
  })

  it('with a yes that was for other arguments', async () => {
    await open()
    const state = stateOf(await corridor.call('delete', FORMS))
    const other = { ...carrying(state, { inputResponses: APPROVE }), arguments: { id: '2' } }
    await expectEnd(corridor, await corridor.call('delete', other), OVER)
  })

  it('when it is called off while somebody thinks', async () => {
    await open(HOLDS)
    const isAsked = new Promise(resolve => onAsked(resolve))
    const { exchange, ended } = await corridor.begin('delete')
    await isAsked
    exchange.cancel()
    const end = { last: 'confirm', more: ASKS, code: 'cancelled' } as const
    await expectEnd(corridor, await ended, { ...end, row: ['confirm', 'cancelled', 0] })
  })

  it('when policies came to forbid it while somebody thought, whatever they say', async () => {
    await open(HOLDS)
    onAsked(async id => {
      await corridor.configure('  - { id: no, effect: deny, reason: never, tools: "s:delete" }')
      await say(id, 'approved')
    })
    const end = { last: 'confirm', more: [...ASKS, ...AGAIN], code: 'policy_denied' } as const
    await expectEnd(corridor, await corridor.call('delete'), { ...end, row: ['deny', 'refused', 0] })
  })

  it('when what is asked about changed while somebody thought', async () => {
    await open(HOLDS)
    onAsked(async id => {
      await corridor.configure('  - { id: ask, effect: confirm, reason: it is new, tools: "s:delete" }')
      await say(id, 'approved')
    })
    const end = { ...OVER, more: [...ASKS, ...AGAIN] }
    await expectEnd(corridor, await corridor.call('delete'), end)
  })

  it('when its tool was switched off while somebody thought', async () => {
    await open(HOLDS)
    onAsked(async id => {
      await corridor.switchOff('delete')
      await say(id, 'approved')
    })
    await expectEnd(corridor, await corridor.call('delete'), { ...OVER, more: ASKS })
  })
})
