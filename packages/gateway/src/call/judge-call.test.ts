import { expect, it } from 'vitest'
import type { Classified } from '../exchange/incoming-call.ts'
import { refuseDecision } from './refusals.ts'

it('says the objection of several rules once, and keeps all rules as reasons', () => {
  const classified = { call: { typed: 'mail:send' }, variant: 'call_tool_write' } as unknown as Classified
  const text = 'the arguments are too large to check'
  const reasons = ['block_pattern', 'block_values'].map(rule => ({ rule, source: 'config', text }))
  const refusal = refuseDecision(classified, { code: 'guardrail_blocked', reasons })
  expect(refusal.message.split(text)).toHaveLength(2)
  expect(refusal.reasons).toHaveLength(2)
})
