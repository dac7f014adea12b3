import type { ServiceDomain } from '../authoring/service-domains.ts'
import { MUTATING, type Operation } from '../derive/operations.ts'
import { isOpenWorld, type Reach } from '../derive/reach.ts'
import { HINT_NAMES, HINTS, type HintName, type HintValues } from '../hint/hints.ts'
import { isRelaxing, mergeStatements } from '../hint/strictness.ts'
import type { Inference, Judgement } from '../infer/inference.ts'
import type { EffectiveHints, EffectiveRecord, Override, Sourced, ToolRecord } from './tool-record.ts'

/** The minimum confidence with which inference tightens an undeclared hint. */
export const TIGHTENS_AT = 0.7

export interface Layers {
  readonly declared: ToolRecord
  readonly inferred?: Inference
  readonly override?: Override
  /** True if an operator approved this exact definition, or if the server is trusted. */
  readonly vouched: boolean
}

/**
 * Applies the rule of trust: a tightening hint counts from any source; a relaxing hint counts only if it is vouched
 * for. Inference can tighten an undeclared hint, but never relaxes one.
 *
 * @example
 * import { resolveEffective } from '@hintgate/metadata'
 * const declared = { hints: { readOnly: true } }
 * resolveEffective({ declared, vouched: true }).readOnly // => { value: true, source: 'declared' }
 * resolveEffective({ declared, vouched: false }).readOnly // => { value: false, source: 'default' }
 */
export function resolveEffective(layers: Layers): EffectiveRecord {
  const declared = honoured(layers)
  const hints = Object.fromEntries(
    HINT_NAMES.map(hint => [hint, resolveHint(hint, layers, declared)]),
  ) as EffectiveHints
  return {
    ...hints,
    ...reconcile(hints.readOnly, hints.destructive),
    operations: resolveOperations(layers),
    reach: resolveReach(layers),
    serviceDomains: resolveDomains(layers),
  }
}

/**
 * Returns the part of the server's declaration that counts: all tightening hints, and relaxing hints only if they are
 * vouched for.
 */
function honoured({ declared, vouched }: Layers): HintValues {
  const counts = (hints: HintValues): HintValues => (vouched ? hints : withoutRelaxing(hints))
  const stated = counts(declared.hints)
  return [stated, counts(impliedByReach(declared)), impliedByOperations(declared, stated)].reduce(
    mergeStatements,
  )
}

function withoutRelaxing(hints: HintValues): HintValues {
  return Object.fromEntries(
    Object.entries(hints).filter(([hint, value]) => !isRelaxing(hint as HintName, value)),
  )
}

function impliedByReach({ reach }: ToolRecord): HintValues {
  return reach === undefined ? {} : { openWorld: isOpenWorld(reach) }
}

/**
 * Returns the hints that follow from declared operations. They only tighten: declaring `read` is not the same as
 * declaring read-only.
 */
function impliedByOperations({ operations = [] }: ToolRecord, stated: HintValues): HintValues {
  const mutates = operations.some(operation => MUTATING.includes(operation) || operation === 'opaque')
  // An opaque tool's effects depend on its arguments, so it counts as destructive unless a declaration that counts says
  // otherwise.
  const mayDestroy = operations.includes('opaque') && stated.destructive === undefined
  return {
    ...(mutates ? { readOnly: false } : {}),
    ...(mayDestroy || operations.includes('delete') ? { destructive: true } : {}),
  }
}

function resolveHint(hint: HintName, layers: Layers, declared: HintValues): Sourced<boolean> {
  const override = layers.override?.hints[hint]
  if (override !== undefined) return { value: override, source: 'override' }
  const stated = declared[hint]
  if (stated !== undefined) return { value: stated, source: 'declared' }
  const judged = layers.inferred?.[hint]
  if (judged !== undefined && tightens(hint, judged)) return { value: judged.value, source: 'inferred' }
  return { value: HINTS[hint].strict, source: 'default' }
}

function tightens(hint: HintName, judged: Judgement<boolean>): boolean {
  return judged.confidence >= TIGHTENS_AT && judged.value === HINTS[hint].strict
}

/**
 * A read-only tool cannot be destructive, so one of the two hints must give way. A default or an inference gives way to
 * a read-only hint that is vouched for; a read-only hint gives way to a *declared* or overridden destructive hint.
 */
function reconcile(
  readOnly: Sourced<boolean>,
  destructive: Sourced<boolean>,
): { readOnly: Sourced<boolean>; destructive: Sourced<boolean> } {
  if (!readOnly.value || !destructive.value) return { readOnly, destructive }
  const isSaid = destructive.source === 'declared' || destructive.source === 'override'
  return isSaid
    ? { readOnly: { value: false, source: 'default' }, destructive }
    : { readOnly, destructive: { value: false, source: 'default' } }
}

function resolveOperations({ declared, inferred, override, vouched }: Layers): Sourced<readonly Operation[]> {
  if (override?.operations !== undefined) return { value: override.operations, source: 'override' }
  const guessed = inferred?.operations.value ?? []
  if (declared.operations === undefined) {
    return guessed.length > 0 ? { value: guessed, source: 'inferred' } : { value: [], source: 'default' }
  }
  // A list of operations that is not vouched for might be incomplete, so inferred operations are added.
  const value = vouched ? declared.operations : [...new Set([...declared.operations, ...guessed])]
  return { value, source: 'declared' }
}

function resolveReach({ declared, vouched }: Layers): Sourced<Reach> {
  const counts = declared.reach !== undefined && (vouched || isOpenWorld(declared.reach))
  return counts ? { value: declared.reach, source: 'declared' } : { value: 'world', source: 'default' }
}

function resolveDomains({ declared, inferred }: Layers): Sourced<readonly ServiceDomain[]> {
  if (declared.serviceDomains !== undefined) return { value: declared.serviceDomains, source: 'declared' }
  const guessed = inferred?.domains.map(domain => domain.value) ?? []
  return guessed.length > 0 ? { value: guessed, source: 'inferred' } : { value: [], source: 'default' }
}
