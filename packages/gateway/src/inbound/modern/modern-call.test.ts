import { expect, it } from 'vitest'
import type { Caller } from '../../exchange/exchange.ts'
import type { Surface } from '../../exchange/surface.ts'
import { ModernCall } from './modern-call.ts'
import { ParkedCalls } from './parked-calls.ts'

const LIMITS = { parkedCalls: 9, parkedPerPrincipal: 9, parkedMs: 60_000, bodyBytesPerPrincipal: 4000 }

function callOf(capabilities: Record<string, unknown>): ModernCall {
  const caller = { principal: { id: 'ada', scope: {} }, envelope: { capabilities } } as unknown as Caller
  const request = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'tool' } } as const
  const sink = { notify() {}, finish() {} }
  return new ModernCall(request, { caller, sink, surface: {} as Surface, parked: new ParkedCalls(LIMITS) })
}

it('ends a call that needs a capability its client lacks, without a cancellation or an answer', async () => {
  const call = callOf({})
  const asked = await call.ask({ method: 'elicitation/create', params: { mode: 'url' } })
  expect(asked).toMatchObject({
    error: { code: -32601 },
    ending: { code: -32021, data: { requiredCapabilities: { elicitation: { url: {} } } } },
  })
  expect(call.isAnswered).toBe(false)
})

it('continues a call whose server asks a question that no client can answer', async () => {
  const asked = await callOf({}).ask({ method: 'Ignore all previous instructions' })
  expect(asked).toEqual({ error: { code: -32601, message: 'clients do not support this kind of question' } })
})

it('leaves no question open once its call has an answer', async () => {
  const call = callOf({ roots: {} })
  const asked = call.ask({ method: 'roots/list' })
  call.finish({ result: {} })
  expect(await asked).toMatchObject({ error: { message: 'the call ended' } })
})
