import type { ServiceDomain } from '../authoring/service-domains.ts'
import type { Consequence } from '../derive/consequence.ts'
import type { Operation } from '../derive/operations.ts'
import type { Reach } from '../derive/reach.ts'
import { HINT_NAMES, type HintName, type HintValues } from '../hint/hints.ts'

/** One layer of statements about a tool. Every field is optional; an absent field is undeclared. */
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

/** The values that an operator set, with who set them and when. */
export interface Override {
  readonly hints: HintValues
  readonly operations?: readonly Operation[]
  /** The consequences of a call to the tool. An empty list means that there are none. */
  readonly consequence?: readonly Consequence[]
  readonly by: string
  readonly at: string
}

/** Where a value comes from, strongest first. */
export type Source = 'override' | 'declared' | 'inferred' | 'default'

export interface Sourced<T> {
  readonly value: T
  readonly source: Source
}

export type EffectiveHints = { readonly [K in HintName]: Sourced<boolean> }

/** The record that Hintgate acts on: a value and a source for every hint and every other field. */
export interface EffectiveRecord extends EffectiveHints {
  readonly operations: Sourced<readonly Operation[]>
  readonly reach: Sourced<Reach>
  readonly serviceDomains: Sourced<readonly ServiceDomain[]>
}

/**
 * Returns the values of an effective record's hints without their sources, for comparing and combining.
 *
 * @example
 * import { hintValues, resolveEffective } from '@hintgate/metadata'
 * hintValues(resolveEffective({ declared: { hints: { destructive: true } }, vouched: false })).destructive // => true
 */
export function hintValues(effective: EffectiveHints): Required<HintValues> {
  return Object.fromEntries(HINT_NAMES.map(hint => [hint, effective[hint].value])) as Required<HintValues>
}
