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

/** Returns true if a source that is vouched for set this hint to its loose value, directly or by implication. */
function isVouchedLoose(hint: HintName, { declared, override, vouched }: Layers): boolean {
  const operatorSays = override?.hints[hint]
  if (operatorSays !== undefined) return isRelaxing(hint, operatorSays)
  if (hint === 'destructive' && override?.hints.readOnly === true) return true
  if (!vouched) return false
  if (hint === 'destructive' && declared.hints.readOnly === true) return true
  if (hint === 'openWorld' && declared.reach !== undefined && !isOpenWorld(declared.reach)) return true
  return isRelaxing(hint, declared.hints[hint])
}

describe('the trust rule', () => {
  it('never returns a looser value than a vouched source declares', () => {
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

  it('never loosens a hint or a variant by inference', () => {
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

  it('applies every tightening hint from any source', () => {
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

  it('never tightens a hint by vouching', () => {
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

  it('treats an unvouched relaxing hint as undeclared', () => {
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
  it('rank the override first, then the server, inference and the default', () => {
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

  it('let inference tighten only above its confidence threshold', () => {
    const at = (confidence: number) => {
      const inferred = { ...inferring({}), destructive: { value: true, confidence, evidence: [] } }
      return resolveEffective({ declared: { hints: {} }, inferred, vouched: false }).destructive.source
    }
    expect(at(TIGHTENS_AT)).toBe('inferred')
    expect(at(TIGHTENS_AT - 0.001)).toBe('default')
  })

  it('never let inference override a vouched declaration', () => {
    const declared: ToolRecord = { hints: { readOnly: false, destructive: false } }
    const effective = resolveEffective({
      declared,
      inferred: inferring({ destructive: true }),
      vouched: true,
    })
    expect(effective.destructive).toEqual({ value: false, source: 'declared' })
  })
})

describe('mayRetry', () => {
  it('allows only calls that are vouched to be read-only or idempotent', () => {
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

describe('readOnly and destructive together', () => {
  it('mean destructive and not read-only', () => {
    const effective = resolveEffective({
      declared: { hints: { readOnly: true, destructive: true } },
      vouched: true,
    })
    expect(effective.destructive).toEqual({ value: true, source: 'declared' })
    expect(effective.readOnly).toEqual({ value: false, source: 'default' })
  })

  it('do not make a vouched read-only tool destructive by default or inference', () => {
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

describe('other declarations', () => {
  it('operations tighten hints and never relax them', () => {
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

  it('destructive: false counts for an opaque tool, but not for a tool that deletes', () => {
    const of = (operation: 'opaque' | 'delete', vouched: boolean) =>
      resolveEffective({ declared: { hints: { destructive: false }, operations: [operation] }, vouched })
        .destructive
    expect(of('opaque', true)).toEqual({ value: false, source: 'declared' })
    expect(of('opaque', false)).toEqual({ value: true, source: 'declared' })
    expect(of('delete', true)).toEqual({ value: true, source: 'declared' })
  })

  it('reach sets openWorld: process and local are closed, service and world are open', () => {
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

  it('undeclared operations are inferred, or empty', () => {
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

  it('service domains are declared, inferred or empty', () => {
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

  it('an undeclared reach counts as world', () => {
    expect(resolveEffective({ declared: { hints: {} }, vouched: true }).reach).toEqual({
      value: 'world',
      source: 'default',
    })
    expect(resolveEffective({ declared: { hints: {}, reach: 'local' }, vouched: true }).reach).toEqual({
      value: 'local',
      source: 'declared',
    })
  })

  it('unvouched operations are extended by inferred ones', () => {
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
