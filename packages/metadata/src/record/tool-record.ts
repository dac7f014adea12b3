import type { ServiceDomain } from '../authoring/service-domains.ts'
import type { Consequence } from '../derive/consequence.ts'
import type { Operation } from '../derive/operations.ts'
import type { Reach } from '../derive/reach.ts'
import { HINT_NAMES, type HintName, type HintValues } from '../hint/hints.ts'

/** One layer of statements about a tool. All fields are optional, and an absent field is undeclared. */
export interface ToolRecord {
  readonly hints: HintValues
  readonly operations?: readonly Operation[]
  readonly reach?: Reach
  readonly serviceDomains?: readonly ServiceDomain[]
  readonly title?: string
  readonly action?: string
  readonly tags?: readonly string[]
  readonly extras?: Readonly<Record<string, unknown>>
}

/** The values that an operator set, with the operator's name and the time. */
export interface Override {
  readonly hints: HintValues
  readonly operations?: readonly Operation[]
  /** The consequences that a call to the tool can have. An empty list means that there are none. */
  readonly consequence?: readonly Consequence[]
  readonly by: string
  readonly at: string
}

/** The origin of a value, strongest first. */
export type Source = 'override' | 'declared' | 'inferred' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly source: Source
}

export type EffectiveHints = { readonly [K in HintName]: Sourced<boolean> }

/** The record that Hintgate acts on. Every hint and every other field has a value and a source. */
export interface EffectiveRecord extends EffectiveHints {
  readonly operations: Sourced<readonly Operation[]>
  readonly reach: Sourced<Reach>
  readonly serviceDomains: Sourced<readonly ServiceDomain[]>
}

/**
 * Returns the hints of an effective record without their sources, which is what comparisons and combinations need.
 *
 * @example
 * import { hintValues, resolveEffective } from '@hintgate/metadata'
 * hintValues(resolveEffective({ declared: { hints: { destructive: true } }, vouched: false })).destructive // => true
 */
export function hintValues(effective: EffectiveHints): Required<HintValues> {
  return Object.fromEntries(HINT_NAMES.map(hint => [hint, effective[hint].value])) as Required<HintValues>
}
