import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { HINT_NAMES, type HintValues } from '../hint/hints.ts'
import { resolveEffective } from '../record/resolve-effective.ts'
import { anyHints } from '../test-support/arbitraries.ts'
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

  it('includes egress that is not declared reversible', () => {
    const hints = { openWorld: false, sensitive: false, egress: true }
    const tainted = after(['web:fetch', WEB])
    expect(kindOf(send(tainted, effective(hints)), 'declared')).toBe('ask')
    expect(kindOf(send(tainted, effective({ ...hints, reversible: true })), 'declared')).toBe('pass')
  })
})

describe('declaring what is assumed anyway', () => {
  const STRICTNESS = { pass: 0, note: 0, ask: 1, deny: 2 }
  const hint = fc.constantFrom(...HINT_NAMES.filter(name => name !== 'egress'))
  const anyPast = fc.array(anyHints.map(effective), { maxLength: 4 })

  it.each<TrifectaRule>(['always', 'declared', 'warn', 'deny', 'off'])(
    'never makes the judgement on a call stricter: %s',
    rule => {
      const judge = (hints: HintValues, past: readonly RiskyCall['effective'][]) =>
        STRICTNESS[
          kindOf(send(after(...past.map(one => ['any:tool', one] as const)), effective(hints)), rule)
        ]
      fc.assert(
        fc.property(anyHints, hint, anyPast, (hints, name, past) => {
          const { [name]: _, ...silent } = hints
          const assumed = effective(silent)[name].value
          expect(judge({ ...silent, [name]: assumed }, past)).toBeLessThanOrEqual(judge(silent, past))
        }),
      )
    },
  )
})
