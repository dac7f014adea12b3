import { describe, expect, it } from 'vitest'
import { ERRORS, type ErrorCode, HintgateError, hasCode } from './errors.ts'

/** Codes that agents depend on, from section 5 of the design document. */
const REFUSALS = [
  'unknown_tool',
  'permission_denied',
  'intent_mismatch',
  'quarantined',
  'policy_denied',
  'guardrail_blocked',
  'confirmation_required',
  'confirmation_denied',
  'confirmation_expired',
  'trifecta',
  'invalid_arguments',
  'rate_limited',
  'upstream_unavailable',
  'upstream_timeout',
  'upstream_protocol',
  'result_too_large',
  'overloaded',
] as const satisfies readonly ErrorCode[]

describe('the catalogue of errors', () => {
  it('contains every refusal, each with a remedy', () => {
    for (const code of REFUSALS) expect(ERRORS[code].remedy, code).toMatch(/\.$/)
  })

  it('uses error HTTP statuses and documented exit codes', () => {
    for (const [code, { http, exit }] of Object.entries(ERRORS)) {
      expect(http, code).toBeGreaterThanOrEqual(400)
      expect([1, 2, 10, 11], code).toContain(exit)
    }
    expect(ERRORS.policy_denied.exit).toBe(10)
    expect(ERRORS.confirmation_required.exit).toBe(11)
    expect(ERRORS.config_invalid.exit).toBe(2)
  })

  it('creates an error with its code, payload and remedy', () => {
    const error = new HintgateError('upstream_timeout', { server: 'crm', why: 'no answer after 60s' })
    expect(error.message).toBe('Server crm did not answer in time: no answer after 60s')
    expect(error).toMatchObject({ code: 'upstream_timeout', payload: { server: 'crm' }, http: 504, exit: 1 })
    expect(hasCode(error, 'upstream_timeout')).toBe(true)
    expect(hasCode(error, 'overloaded')).toBe(false)
    expect(hasCode(new Error('upstream_timeout'), 'upstream_timeout')).toBe(false)
  })
})
