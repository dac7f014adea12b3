import { describe, expect, it } from 'vitest'
import type { HintValues } from '../hint/hints.ts'
import { resolveEffective } from '../record/resolve-effective.ts'
import { judgeSessionRisk, type RiskyCall, type TrifectaRule } from './judge-session-risk.ts'
import { addRiskFactors, type SessionRiskFactors } from './risk-factors.ts'

const effective = (hints: HintValues) => resolveEffective({ declared: { hints }, vouched: true })
const SECRET = effective({ readOnly: true, openWorld: false, sensitive: true })
const WEB = effective({ readOnly: true, openWorld: true, sensitive: false })
const HARMLESS = effective({ readOnly: true, openWorld: false, sensitive: false })
const SEND = effective({ readOnly: false, openWorld: true, sensitive: false, egress: true })
const FINAL = effective({ openWorld: false, sensitive: false, egress: true, reversible: false })

function after(...calls: readonly (readonly [string, RiskyCall['effective']])[]): SessionRiskFactors {
  const marks = calls.map(([tool, hints]) => ({ tool, hints }))
  return marks.reduce<SessionRiskFactors>(
    (riskFactors, { tool, hints }) =>
      addRiskFactors(riskFactors, hints, { tool, request: `r-${tool}`, at: 0 }),
    {},
  )
}

const BOTH = after(['web:fetch', WEB], ['files:read', SECRET])
const send = (riskFactors: SessionRiskFactors, hints = SEND): RiskyCall => ({
  tool: 'mail:send',
  effective: hints,
  riskFactors,
})
const kindOf = (call: RiskyCall, rule: TrifectaRule) => judgeSessionRisk(call, rule).kind

describe('the call that completes the lethal trifecta', () => {
  it.each<[TrifectaRule, string]>([
    ['always', 'ask'],
    ['declared', 'ask'],
    ['warn', 'note'],
    ['deny', 'deny'],
    ['off', 'pass'],
  ])('under %s: %s', (rule, kind) => {
    expect(kindOf(send(BOTH), rule)).toBe(kind)
  })

  it('shows which call brought which risk factor', () => {
    expect(judgeSessionRisk(send(BOTH), 'declared')).toMatchObject({
      reasons: [
        { text: 'private data: files:read (request r-files:read), declared' },
        { text: 'untrusted content: web:fetch (request r-web:fetch), declared' },
        { text: 'external communication: this call, declared' },
      ],
    })
  })

  it('only warns when two of the three risk factors are assumed', () => {
    const guessed = send({}, effective({ egress: true }))
    expect(kindOf(guessed, 'declared')).toBe('note')
    expect(kindOf(guessed, 'always')).toBe('ask')
  })
})

describe('after the trifecta is complete', () => {
  const all = after(['web:fetch', WEB], ['files:read', SECRET], ['mail:send', SEND])

  it('asks for every call that communicates externally, and for no other', () => {
    expect(kindOf(send(all), 'declared')).toBe('ask')
    expect(kindOf({ tool: 'clock:now', effective: HARMLESS, riskFactors: all }, 'declared')).toBe('pass')
  })
})

describe('irreversible egress', () => {
  it('asks after untrusted content was read', () => {
    expect(kindOf(send(after(['web:fetch', WEB]), FINAL), 'declared')).toBe('ask')
    expect(kindOf(send({}, FINAL), 'declared')).toBe('pass')
    expect(kindOf(send(after(['web:fetch', WEB]), FINAL), 'warn')).toBe('pass')
  })
})
