import type { ServiceDomain } from '../authoring/service-domains.ts'
import { MUTATING, type Operation } from '../derive/operations.ts'
import { isOpenWorld, type Reach } from '../derive/reach.ts'
import { HINT_NAMES, HINTS, type HintName, type HintValues } from '../hint/hints.ts'
import { isRelaxing, mergeStatements } from '../hint/strictness.ts'
import type { Inference, Judgement } from '../infer/inference.ts'
import type { EffectiveHints, EffectiveRecord, Override, Sourced, ToolRecord } from './tool-record.ts'

/** How sure inference must be before it may tighten what a tool left undeclared. */
export const TIGHTENS_AT = 0.6

export interface Layers {
  readonly declared: ToolRecord
  readonly inferred?: Inference
  readonly override?: Override
  /** An operator approved this exact definition, or marked its server as trusted. */
  readonly vouched: boolean
}

/**
 * The one rule of trust: a hint that tightens is honoured from anyone; a hint that relaxes counts only if it
 * is vouched for. Inference may tighten what is undeclared and never relaxes anything.
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

/** What remains of the server's word: all that tightens, and what relaxes only where it is vouched for. */
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

/** Operations only ever tighten: stating `read` is not the same as promising read-only. */
function impliedByOperations({ operations = [] }: ToolRecord, stated: HintValues): HintValues {
  const mutates = operations.some(operation => MUTATING.includes(operation) || operation === 'opaque')
  // What an opaque tool may do depends on its arguments, so there the author's own word is worth more.
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
 * Destructive has a meaning only for tools that are not read-only. A vouched read-only tool is therefore not
 * destructive by default or by guess; one that is *said* to be destructive is not read-only.
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
  // Nobody vouched for the list being complete, so what the definition gives away is added to it.
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
