import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Classified } from '../exchange/incoming-call.ts'
import type { Decision } from '../policy/decide.ts'
import { Recheck } from './recheck.ts'

const ALLOW: Extract<Decision, { verdict: 'allow' }> = { verdict: 'allow', reasons: [], notes: [] }
const DENY: Decision = { verdict: 'deny', code: 'policy_denied', reasons: [], notes: [] }

const scope = { permissions: ['call_tool_write'], servers: ['*'] }
const principal = { id: 'agent:bot', name: 'bot', kind: 'agent', credential: 'c', scope }
const tool = { server: 's', name: 't', fingerprint: 'f', assessment: {} }
const call = { exchange: { requestId: 'r', caller: { principal, session: 'x' } }, typed: 's:t', params: {} }
const classified = { call, tool, variant: 'call_tool_write' } as unknown as Classified

/** Creates the recheck of an allowed call. `decide` makes all later decisions about the call. */
function allowed(decide: () => Decision) {
  const around = { asBefore: true, asked: 0 }
  const deps = {
    catalog: { find: () => tool },
    rules: () => ({ version: '1', confirm: {} }),
    sessions: { ready: () => undefined, riskFactorsOf: () => ({}) },
    isAsBefore: () => around.asBefore,
    scopeNow: async () => {
      around.asked += 1
      return scope
    },
  }
  const record = { call, session: { session: 'x', principal: principal.id }, at: 0 }
  const first = {
    record,
    classified,
    decision: ALLOW,
    server: { config: {} },
    decide,
    factors: { factors: {} },
    deps,
  }
  const check = new Recheck(first as never)
  return { around, objectTo: async () => check.objectTo() }
}

describe('the check just before sending', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
  afterEach(() => void vi.useRealTimers())

  it('queries nothing within a moment, unless a token has changed', async () => {
    const { around, objectTo } = allowed(() => ALLOW)
    expect(await objectTo()).toBeUndefined()
    expect(around.asked).toBe(0)
    around.asBefore = false
    expect(await objectTo()).toBeUndefined()
    expect(around.asked).toBe(1)
  })

  it('finds an objection again, however soon it is repeated', async () => {
    const { objectTo } = allowed(() => DENY)
    expect(await objectTo()).toBeUndefined()
    vi.advanceTimersByTime(60)
    expect(await objectTo()).toMatchObject({ kind: 'quarantined' })
    vi.advanceTimersByTime(1)
    expect(await objectTo()).toMatchObject({ kind: 'quarantined' })
  })
})
