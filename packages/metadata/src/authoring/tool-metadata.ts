import type { Operation } from '../derive/operations.ts'
import type { Reach } from '../derive/reach.ts'
import { HINT_NAMES, type HintValues } from '../hint/hints.ts'
import type { ToolRecord } from '../record/tool-record.ts'
import type { ServiceDomain } from './service-domains.ts'

/** An author's declarations about a tool, on three independent axes: classification, behaviour and extras. */
export interface ToolMetadata {
  readonly title?: string
  readonly classification?: { readonly serviceDomains?: readonly ServiceDomain[] }
  readonly behavior?: Behavior
  /** Template for a sentence in activity feeds, such as `Sent email to {to}`. */
  readonly action?: string
  readonly tags?: readonly string[]
  /** Any JSON that the author's own systems need. Hintgate ignores it. */
  readonly extras?: Readonly<Record<string, unknown>>
  /** `false` allows contradictions. The setting itself is never sent to clients. */
  readonly strict?: boolean
  /** The author's own `_meta`. Keys under `io.hintgate/` are reserved. */
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface Behavior extends HintValues {
  readonly operations?: readonly Operation[]
  readonly reach?: Reach
}

/**
 * Converts an author's metadata to a record. Projecting the metadata and reading it back from the wire gives the same
 * record.
 *
 * @example
 * import { toRecord } from '@hintgate/metadata'
 * toRecord({ behavior: { operations: ['delete'], destructive: true } })
 * // => { hints: { destructive: true }, operations: ['delete'] }
 */
export function toRecord(metadata: ToolMetadata): ToolRecord {
  const behavior = metadata.behavior ?? {}
  const { operations, reach } = behavior
  const { serviceDomains } = metadata.classification ?? {}
  const { title, action, tags, extras } = metadata
  return {
    hints: withoutUndefined(Object.fromEntries(HINT_NAMES.map(hint => [hint, behavior[hint]]))),
    ...withoutUndefined({ operations, reach, serviceDomains, title, action, tags, extras }),
  }
}

/** Removes keys whose value is `undefined`, so an absent value has only one form. */
export function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
