import { expect, it } from 'vitest'
import type { OutcomeEntry, Recorder } from '../../audit/entry.ts'
import type { RequestDetails } from '../../exchange/surface.ts'
import { type AttemptCounter, type RequestResult, recordRequest } from './record-request.ts'

const WANTED = {
  requestId: 'r1',
  caller: { principal: { id: 'agent:bot' }, session: 's1' },
  method: 'admin/wipe',
  params: {},
} as unknown as RequestDetails

async function rowOf(
  pass: (counter: AttemptCounter) => Promise<RequestResult>,
): Promise<OutcomeEntry | undefined> {
  const rows: OutcomeEntry[] = []
  const recorder: Recorder = {
    intent: () => undefined,
    outcome: entry => {
      rows.push(entry)
      return undefined
    },
  }
  await recordRequest(WANTED, { server: 'crm', recorder }, pass).catch(() => {})
  expect(rows).toHaveLength(1)
  return rows[0]
}

const error = { code: -1, message: 'm', data: { code: 'guardrail_blocked' } }

it('passes on nothing that cannot be recorded', async () => {
  const recorder: Recorder = {
    intent: () => Promise.resolve(new Error('the disk is full')),
    outcome: () => undefined,
  }
  const pass = () => Promise.reject(new Error('it was passed on'))
  expect(await recordRequest(WANTED, { server: 'crm', recorder }, pass)).toMatchObject({
    error: { message: expect.stringContaining('cannot be recorded'), data: { code: 'overloaded' } },
  })
})

it("records a server's error, but not as a refusal by the gateway", async () => {
  const row = await rowOf(async counter => {
    counter.attempts = 1
    return { answer: { error } }
  })
  expect(row).toMatchObject({ outcome: 'error', code: '-1', attempts: 1, call: { verdict: 'allow' } })
})

it('distinguishes unsent requests from sent ones', async () => {
  const refused = await rowOf(async () => ({
    answer: { error },
    fromGateway: { outcome: 'refused', code: 'guardrail_blocked' },
  }))
  expect(refused).toMatchObject({ outcome: 'refused', attempts: 0, call: { verdict: 'deny' } })
  const heldBack = await rowOf(async counter => {
    counter.attempts = 1
    return { answer: { error }, fromGateway: { outcome: 'failed', code: 'guardrail_blocked' } }
  })
  expect(heldBack).toMatchObject({
    outcome: 'failed',
    code: 'guardrail_blocked',
    attempts: 1,
    call: { verdict: 'allow' },
  })
})

it('records an internal error of the gateway', async () => {
  const row = await rowOf(counter => {
    counter.attempts = 1
    throw new TypeError('fromGateway')
  })
  expect(row).toMatchObject({ outcome: 'failed', attempts: 1, detail: expect.stringContaining('internal') })
})
