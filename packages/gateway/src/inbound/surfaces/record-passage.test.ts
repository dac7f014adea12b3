import { expect, it } from 'vitest'
import type { OutcomeEntry, Recorder } from '../../audit/entry.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import { type Passed, recordPassage, type Tally } from './record-passage.ts'

const WANTED = {
  requestId: 'r1',
  caller: { principal: { id: 'agent:bot' }, session: 's1' },
  method: 'admin/wipe',
  params: {},
} as unknown as RequestDetails

async function rowOf(pass: (tally: Tally) => Promise<Passed>): Promise<OutcomeEntry | undefined> {
  const rows: OutcomeEntry[] = []
  const recorder: Recorder = {
    intent: () => undefined,
    outcome: entry => {
      rows.push(entry)
      return undefined
    },
  }
  await recordPassage(WANTED, { server: 'crm', recorder }, pass).catch(() => {})
  expect(rows).toHaveLength(1)
  return rows[0]
}

const error = { code: -1, message: 'm', data: { code: 'guardrail_blocked' } }

it('passes nothing on that could not be recorded', async () => {
  const recorder: Recorder = {
    intent: () => Promise.resolve(new Error('the disk is full')),
    outcome: () => undefined,
  }
  const pass = () => Promise.reject(new Error('it was passed on'))
  expect(await recordPassage(WANTED, { server: 'crm', recorder }, pass)).toMatchObject({
    error: { message: expect.stringContaining('cannot be recorded'), data: { code: 'overloaded' } },
  })
})

it('takes a server at its word only for its error, and not for a refusal of ours', async () => {
  const row = await rowOf(async tally => {
    tally.attempts = 1
    return { answer: { error } }
  })
  expect(row).toMatchObject({ outcome: 'error', code: '-1', attempts: 1, call: { verdict: 'allow' } })
})

it('tells what was not sent from what was', async () => {
  const refused = await rowOf(async () => ({
    answer: { error },
    ours: { outcome: 'refused', code: 'guardrail_blocked' },
  }))
  expect(refused).toMatchObject({ outcome: 'refused', attempts: 0, call: { verdict: 'deny' } })
  const heldBack = await rowOf(async tally => {
    tally.attempts = 1
    return { answer: { error }, ours: { outcome: 'failed', code: 'guardrail_blocked' } }
  })
  expect(heldBack).toMatchObject({
    outcome: 'failed',
    code: 'guardrail_blocked',
    attempts: 1,
    call: { verdict: 'allow' },
  })
})

it('ends what failed inside', async () => {
  const row = await rowOf(tally => {
    tally.attempts = 1
    throw new TypeError('ours')
  })
  expect(row).toMatchObject({ outcome: 'failed', attempts: 1, detail: expect.stringContaining('internal') })
})
