import { describe, expect, it } from 'vitest'
import type { IntentEntry, OutcomeEntry, Recorder } from '../audit/entry.ts'
import type { Classified, IncomingCall } from '../exchange/incoming-call.ts'
import type { Outcome, Refusal } from '../exchange/outcome.ts'
import type { Decision } from '../policy/decide.ts'
import { type CallRecord, entryOf, recordFault, recordIntent, recordOutcome, startRecord } from './record.ts'

const CALL = {
  exchange: { requestId: 'r1', caller: { principal: { id: 'agent:bot' }, session: 's1' } },
  server: 'crm',
  tool: 'send',
  typed: 'crm:send',
  params: { name: 'send', arguments: { to: 'ada' } },
} as unknown as IncomingCall

const hint = (value: boolean) => ({ value, source: 'declared' })
const TOOL = {
  fingerprint: 'f1',
  assessment: {
    variant: 'call_tool_write',
    title: 'Send',
    declared: { action: 'Sent to {to}' },
    effective: {
      readOnly: hint(false),
      destructive: hint(false),
      idempotent: hint(false),
      openWorld: hint(true),
      reversible: hint(false),
      egress: hint(true),
      sensitive: hint(true),
    },
  },
}
const CLASSIFIED = { call: CALL, tool: TOOL, variant: 'call_tool_write' } as unknown as Classified
const REASON = { rule: 'r', source: 's', text: 't' }
const ALLOW: Decision = { verdict: 'allow', reasons: [REASON], notes: [] }

function refusal(fields: Partial<Refusal>): Outcome {
  return {
    kind: 'refused',
    refusal: {
      code: 'policy_denied',
      message: 'No.',
      tool: 'crm:send',
      verdict: 'deny',
      reasons: [],
      remedy: '',
      ...fields,
    },
  }
}

function recordAt(step: 'resolved' | 'decided' | 'forwarded'): CallRecord {
  return {
    ...startRecord(CALL),
    classified: CLASSIFIED,
    decision: step === 'resolved' ? undefined : ALLOW,
    attempts: step === 'forwarded' ? 1 : 0,
  }
}

function listen(intent: Recorder['intent'] = () => undefined) {
  const heard: { intents: IntentEntry[]; outcomes: OutcomeEntry[] } = { intents: [], outcomes: [] }
  const recorder: Recorder = {
    intent(entry) {
      heard.intents.push(entry)
      return intent(entry)
    },
    outcome(entry) {
      heard.outcomes.push(entry)
      return undefined
    },
  }
  return { ...heard, recorder }
}

function withIntent(record: CallRecord): CallRecord {
  return { ...record, intent: entryOf(record) }
}

describe('the record of a call', () => {
  it('has everything that is known about the call', async () => {
    const { recorder, intents } = listen()
    const record = recordAt('decided')
    expect(await recordIntent(withIntent(record), { recorder })).toBeUndefined()
    expect(intents).toEqual([
      {
        requestId: 'r1',
        at: record.at,
        principal: 'agent:bot',
        session: 's1',
        door: 'direct',
        server: 'crm',
        tool: 'send',
        typed: 'crm:send',
        known: {
          fingerprint: 'f1',
          variant: 'call_tool_write',
          hints:
            'readOnly-declared destructive-declared idempotent-declared openWorld+declared reversible-declared egress+declared sensitive+declared',
          title: 'Send',
          action: 'Sent to {to}',
        },
        intent: undefined,
        arguments: { to: 'ada' },
        verdict: 'allow',
        reasons: [REASON],
        approval: undefined,
      },
    ])
  })

  it('has the variant of this call, which may do less than the tool can', async () => {
    const { recorder, intents } = listen()
    const classified = { ...CLASSIFIED, variant: 'call_tool_read' } as const
    await recordIntent(withIntent({ ...recordAt('decided'), classified }), { recorder })
    expect(intents[0]?.known?.variant).toBe('call_tool_read')
  })

  it('ends the call with a refusal if it cannot be written', async () => {
    const full = new Error('the disk /dev/secret is full')
    const { recorder } = listen(() => Promise.resolve(full))
    const refused = await recordIntent(withIntent(recordAt('decided')), { recorder })
    expect(refused).toMatchObject({ verdict: 'failed', tool: 'crm:send' })
    expect(JSON.stringify(refused)).not.toContain('/dev/secret')
  })

  it.each([
    [
      'an answer',
      { kind: 'answered', result: { content: [] } },
      'forwarded',
      { outcome: 'answered', attempts: 1, resultBytes: 14 },
    ],
    [
      'an answer that is an error',
      { kind: 'answered', result: { isError: true } },
      'forwarded',
      { outcome: 'tool_error' },
    ],
    [
      'a question',
      { kind: 'answered', result: { resultType: 'input_required', inputRequests: {} } },
      'decided',
      { outcome: 'asked', attempts: 0 },
    ],
    [
      'an error',
      { kind: 'error', error: { code: -32602, message: 'bad' } },
      'forwarded',
      { outcome: 'error', code: '-32602', detail: 'bad' },
    ],
    ['a cancellation', { kind: 'cancelled' }, 'forwarded', { outcome: 'cancelled' }],
    ['a refusal', refusal({}), 'decided', { outcome: 'refused', code: 'policy_denied', attempts: 0 }],
    [
      'a result that was held back',
      refusal({ code: 'guardrail_blocked' }),
      'forwarded',
      { outcome: 'failed', code: 'guardrail_blocked', attempts: 1 },
    ],
    [
      'no answer',
      refusal({ code: 'upstream_timeout', verdict: 'failed' }),
      'forwarded',
      { outcome: 'failed', code: 'upstream_timeout', detail: 'No.' },
    ],
  ] as const)('tells %s from the others', async (_, outcome, step, expected) => {
    const { recorder, outcomes } = listen()
    expect(await recordOutcome(recordAt(step), outcome, recorder)).toBe(outcome)
    expect(outcomes).toMatchObject([expected])
  })

  it('has the verdict and the reasons of a refusal, which may come after an allow', async () => {
    const { recorder, outcomes } = listen()
    const because = { rule: 'arguments.schema', source: 'tool', text: 'expected a string' }
    await recordOutcome(recordAt('decided'), refusal({ reasons: [because] }), recorder)
    expect(outcomes[0]?.call).toMatchObject({ verdict: 'deny', reasons: [because] })
    await recordOutcome(recordAt('forwarded'), refusal({ verdict: 'failed' }), recorder)
    expect(outcomes[1]?.call).toMatchObject({ verdict: 'allow' })
    await recordOutcome(startRecord(CALL), refusal({ verdict: 'failed' }), recorder)
    expect(outcomes[2]?.call.verdict).toBeUndefined()
    expect(outcomes[2]?.call.known).toBeUndefined()
  })

  it('delays the answer until it is written', async () => {
    let write: () => void = () => {}
    const recorder: Recorder = {
      intent: () => undefined,
      outcome: () => new Promise<void>(resolve => (write = resolve)),
    }
    let isOut = false
    const answered = Promise.resolve(
      recordOutcome(recordAt('forwarded'), { kind: 'cancelled' }, recorder),
    ).then(() => (isOut = true))
    await new Promise(setImmediate)
    expect(isOut).toBe(false)
    write()
    await answered
  })

  it('says that the gateway failed, and at which step', async () => {
    const { recorder, outcomes } = listen()
    await recordFault(recordAt('forwarded'), recorder)
    expect(outcomes).toMatchObject([
      {
        outcome: 'failed',
        attempts: 1,
        detail: expect.stringContaining('internal'),
        call: { verdict: 'allow' },
      },
    ])
  })
})
