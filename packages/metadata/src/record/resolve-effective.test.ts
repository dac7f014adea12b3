import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isOpenWorld } from '../derive/reach.ts'
import { deriveVariant, mayRetry, riskLevelOf } from '../derive/variant.ts'
import { HINT_NAMES, HINTS, type HintName, type HintValues } from '../hint/hints.ts'
import { isRelaxing } from '../hint/strictness.ts'
import type { Inference } from '../infer/inference.ts'
import { anyHints, anyInference, anyRecord } from '../test-support/arbitraries.ts'
import { type Layers, resolveEffective, TIGHTENS_AT } from './resolve-effective.ts'
import type { Override, ToolRecord } from './tool-record.ts'

const anyOverride = anyHints.map((hints): Override => ({ hints, by: 'ada', at: '2026-11-15T00:00:00Z' }))
const anyLayers: fc.Arbitrary<Layers> = fc.record(
  { declared: anyRecord, inferred: anyInference, override: anyOverride, vouched: fc.boolean() },
  { requiredKeys: ['declared', 'vouched'] },
)

const sure = (value: boolean) => ({ value, confidence: 1, evidence: [] })
const inferring = (hints: Partial<Record<HintName, boolean>>): Inference => ({
  operations: { value: [], confidence: 0, evidence: [] },
  readOnly: { ...sure(hints.readOnly ?? true), confidence: hints.readOnly === undefined ? 0 : 1 },
  destructive: { ...sure(hints.destructive ?? false), confidence: hints.destructive === undefined ? 0 : 1 },
  idempotent: { ...sure(hints.idempotent ?? true), confidence: hints.idempotent === undefined ? 0 : 1 },
  openWorld: { ...sure(hints.openWorld ?? false), confidence: hints.openWorld === undefined ? 0 : 1 },
  domains: [],
})

/** Whether somebody who may vouch said the loose value of this hint, in so many words or by what it implies. */
function isVouchedLoose(hint: HintName, { declared, override, vouched }: Layers): boolean {
  const operatorSays = override?.hints[hint]
  if (operatorSays !== undefined) return isRelaxing(hint, operatorSays)
  if (hint === 'destructive' && override?.hints.readOnly === true) return true
  if (!vouched) return false
  if (hint === 'destructive' && declared.hints.readOnly === true) return true
  if (hint === 'openWorld' && declared.reach !== undefined && !isOpenWorld(declared.reach)) return true
  return isRelaxing(hint, declared.hints[hint])
}

describe('the one rule of trust', () => {
  it('never gives a looser value than a vouched source allows', () => {
    fc.assert(
      fc.property(anyLayers, layers => {
        const effective = resolveEffective(layers)
        for (const hint of HINT_NAMES) {
          if (isRelaxing(hint, effective[hint].value)) expect(isVouchedLoose(hint, layers), hint).toBe(true)
        }
      }),
      { numRuns: 1000 },
    )
  })

  it('never lets inference loosen a hint or a variant', () => {
    fc.assert(
      fc.property(anyLayers, anyInference, (layers, inferred) => {
        const { inferred: _, ...without } = layers
        const [before, after] = [resolveEffective(without), resolveEffective({ ...without, inferred })]
        for (const hint of HINT_NAMES) {
          expect(isRelaxing(hint, after[hint].value) && !isRelaxing(hint, before[hint].value), hint).toBe(
            false,
          )
        }
        expect(riskLevelOf(deriveVariant(after))).toBeGreaterThanOrEqual(riskLevelOf(deriveVariant(before)))
      }),
      { numRuns: 1000 },
    )
  })

  it('honours every hint that tightens, from anyone', () => {
    fc.assert(
      fc.property(anyLayers, ({ override: _, ...layers }) => {
        const effective = resolveEffective(layers)
        for (const hint of HINT_NAMES) {
          if (layers.declared.hints[hint] === HINTS[hint].strict) {
            expect(effective[hint], hint).toEqual({ value: HINTS[hint].strict, source: 'declared' })
          }
        }
      }),
    )
  })

  it('is monotonic in vouching: vouching never tightens a hint', () => {
    fc.assert(
      fc.property(anyLayers, layers => {
        const [no, yes] = [false, true].map(vouched => resolveEffective({ ...layers, vouched }))
        for (const hint of HINT_NAMES) {
          const tightened = isRelaxing(hint, no?.[hint].value) && !isRelaxing(hint, yes?.[hint].value)
          expect(tightened, hint).toBe(false)
        }
      }),
    )
  })

  it('leaves a relaxing hint that nobody vouched for undeclared', () => {
    for (const hint of HINT_NAMES) {
      const declared: ToolRecord = { hints: { [hint]: !HINTS[hint].strict } }
      expect(resolveEffective({ declared, vouched: false })[hint]).toEqual({
        value: HINTS[hint].strict,
        source: 'default',
      })
      expect(resolveEffective({ declared, vouched: true })[hint]).toEqual({
        value: !HINTS[hint].strict,
        source: 'declared',
      })
    }
  })
})

describe('sources', () => {
  it('name the operator first, then the server, then inference, then the default', () => {
    const declared: ToolRecord = { hints: { destructive: true } }
    const override: Override = { hints: { destructive: false }, by: 'ada', at: '2026-11-15T00:00:00Z' }
    expect(resolveEffective({ declared, override, vouched: false }).destructive).toEqual({
      value: false,
      source: 'override',
    })
    expect(resolveEffective({ declared, vouched: false }).destructive.source).toBe('declared')
    const inferred = inferring({ destructive: true })
    expect(resolveEffective({ declared: { hints: {} }, inferred, vouched: false }).destructive.source).toBe(
      'inferred',
    )
    expect(resolveEffective({ declared: { hints: {} }, vouched: false }).destructive.source).toBe('default')
  })

  it('let inference tighten only when it is sure enough', () => {
    const at = (confidence: number) => {
      const inferred = { ...inferring({}), destructive: { value: true, confidence, evidence: [] } }
      return resolveEffective({ declared: { hints: {} }, inferred, vouched: false }).destructive.source
    }
    expect(at(TIGHTENS_AT)).toBe('inferred')
    expect(at(TIGHTENS_AT - 0.001)).toBe('default')
  })

  it('let no inference overrule a declaration that was vouched for', () => {
    const declared: ToolRecord = { hints: { readOnly: false, destructive: false } }
    const effective = resolveEffective({
      declared,
      inferred: inferring({ destructive: true }),
      vouched: true,
    })
    expect(effective.destructive).toEqual({ value: false, source: 'declared' })
  })
})

describe('a retry', () => {
  it('is for calls that are vouched to be read-only or idempotent, and for no others', () => {
    const of = (hints: HintValues, vouched = true) =>
      mayRetry(resolveEffective({ declared: { hints }, vouched }))
    expect(of({ readOnly: true, idempotent: false })).toBe(true)
    expect(of({ readOnly: false, idempotent: true })).toBe(true)
    expect(of({ readOnly: false, idempotent: false })).toBe(false)
    expect(of({})).toBe(false)
    expect(of({ readOnly: true, idempotent: true }, false)).toBe(false)
    expect(of({ readOnly: true, destructive: true })).toBe(false)
  })
})

describe('read-only and destructive', () => {
  it('together mean destructive, and not read-only', () => {
    const effective = resolveEffective({
      declared: { hints: { readOnly: true, destructive: true } },
      vouched: true,
    })
    expect(effective.destructive).toEqual({ value: true, source: 'declared' })
    expect(effective.readOnly).toEqual({ value: false, source: 'default' })
  })

  it('a vouched read-only tool is not destructive by default, nor by a guess', () => {
    const declared: ToolRecord = { hints: { readOnly: true } }
    const inferred = inferring({ destructive: true })
    expect(resolveEffective({ declared, inferred, vouched: true }).destructive).toEqual({
      value: false,
      source: 'default',
    })
    expect(resolveEffective({ declared, inferred, vouched: false }).destructive).toEqual({
      value: true,
      source: 'inferred',
    })
  })
})

describe('what else is declared', () => {
  it('operations tighten, and never relax', () => {
    const of = (operations: ToolRecord['operations']) =>
      resolveEffective({ declared: { hints: {}, operations: operations ?? [] }, vouched: true })
    expect(of(['delete']).destructive).toEqual({ value: true, source: 'declared' })
    expect(of(['opaque']).destructive).toEqual({ value: true, source: 'declared' })
    expect(of(['opaque']).readOnly).toEqual({ value: false, source: 'declared' })
    for (const operation of ['create', 'update', 'delete'] as const) {
      expect(of([operation]).readOnly, operation).toEqual({ value: false, source: 'declared' })
    }
    expect(of(['create']).destructive.source).toBe('default')
    expect(of(['read']).readOnly).toEqual({ value: false, source: 'default' })
  })

  it('what an opaque tool may destroy is for its author to say, what a deleting one does is not', () => {
    const of = (operation: 'opaque' | 'delete', vouched: boolean) =>
      resolveEffective({ declared: { hints: { destructive: false }, operations: [operation] }, vouched })
        .destructive
    expect(of('opaque', true)).toEqual({ value: false, source: 'declared' })
    expect(of('opaque', false)).toEqual({ value: true, source: 'declared' })
    expect(of('delete', true)).toEqual({ value: true, source: 'declared' })
  })

  it('reach decides the open world: process and local are closed, service and world are open', () => {
    const at = (reach: ToolRecord['reach'] & string) =>
      resolveEffective({ declared: { hints: {}, reach }, vouched: true })
    expect([at('process'), at('local')].map(e => e.openWorld.value)).toEqual([false, false])
    expect([at('service'), at('world')].map(e => e.openWorld.value)).toEqual([true, true])
    expect(
      resolveEffective({ declared: { hints: {}, reach: 'local' }, vouched: false }).openWorld.value,
    ).toBe(true)
    expect(resolveEffective({ declared: { hints: {}, reach: 'local' }, vouched: false }).reach.value).toBe(
      'world',
    )
    expect(resolveEffective({ declared: { hints: {}, reach: 'service' }, vouched: false }).reach.source).toBe(
      'declared',
    )
  })

  it('operations that were not declared are inferred, or none', () => {
    const declared: ToolRecord = { hints: {} }
    const inferred: Inference = {
      ...inferring({}),
      operations: { value: ['create'], confidence: 0.9, evidence: [] },
    }
    expect(resolveEffective({ declared, inferred, vouched: true }).operations).toEqual({
      value: ['create'],
      source: 'inferred',
    })
    expect(resolveEffective({ declared, inferred: inferring({}), vouched: true }).operations).toEqual({
      value: [],
      source: 'default',
    })
    expect(resolveEffective({ declared, vouched: true }).operations).toEqual({ value: [], source: 'default' })
  })

  it('service domains are declared, inferred, or none', () => {
    const domain = { value: 'email', confidence: 0.8, evidence: [] } as const
    const inferred: Inference = { ...inferring({}), domains: [domain] }
    const of = (declared: ToolRecord, layers: Partial<Layers>) =>
      resolveEffective({ declared, vouched: false, ...layers }).serviceDomains
    expect(of({ hints: {}, serviceDomains: ['crm'] }, { inferred })).toEqual({
      value: ['crm'],
      source: 'declared',
    })
    expect(of({ hints: {} }, { inferred })).toEqual({ value: ['email'], source: 'inferred' })
    expect(of({ hints: {} }, { inferred: inferring({}) })).toEqual({ value: [], source: 'default' })
    expect(of({ hints: {} }, {})).toEqual({ value: [], source: 'default' })
  })

  it('a reach that nobody stated is the world', () => {
    expect(resolveEffective({ declared: { hints: {} }, vouched: true }).reach).toEqual({
      value: 'world',
      source: 'default',
    })
    expect(resolveEffective({ declared: { hints: {}, reach: 'local' }, vouched: true }).reach).toEqual({
      value: 'local',
      source: 'declared',
    })
  })

  it('operations nobody vouched for are completed by what the definition gives away', () => {
    const declared: ToolRecord = { hints: {}, operations: ['read'] }
    const inferred: Inference = {
      ...inferring({}),
      operations: { value: ['delete'], confidence: 0.9, evidence: [] },
    }
    expect(resolveEffective({ declared, inferred, vouched: false }).operations).toEqual({
      value: ['read', 'delete'],
      source: 'declared',
    })
    expect(resolveEffective({ declared, inferred, vouched: true }).operations.value).toEqual(['read'])
    const override: Override = { hints: {}, operations: ['update'], by: 'ada', at: '' }
    expect(resolveEffective({ declared, inferred, override, vouched: false }).operations).toEqual({
      value: ['update'],
      source: 'override',
    })
  })
})
