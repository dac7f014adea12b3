import { expect, it } from 'vitest'
import type { OutcomeEntry } from '../audit/entry.ts'
import type { IncomingCall } from '../exchange/incoming-call.ts'
import type { CallDeps } from './call-deps.ts'
import { handleCall } from './handle-call.ts'

const CALL = {
  exchange: { requestId: 'r1', caller: { principal: { id: 'agent:bot' }, session: 's1' } },
  server: 'crm',
  tool: 'send',
  typed: 'crm:send',
  params: { name: 'send', arguments: {} },
} as unknown as IncomingCall

it('records the end of a call that failed inside the gateway', async () => {
  const rows: OutcomeEntry[] = []
  const deps = {
    recorder: { intent: () => undefined, outcome: (entry: OutcomeEntry) => void rows.push(entry) },
    findServer: () => {
      throw new TypeError('ours')
    },
  } as unknown as CallDeps
  await expect(handleCall(CALL, deps)).rejects.toThrow('ours')
  expect(rows).toMatchObject([{ outcome: 'failed', call: { requestId: 'r1', tool: 'send' } }])
})
