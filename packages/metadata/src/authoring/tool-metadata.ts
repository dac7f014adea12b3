import type { Operation } from '../derive/operations.ts'
import type { Reach } from '../derive/reach.ts'
import { HINT_NAMES, type HintValues } from '../hint/hints.ts'
import type { ToolRecord } from '../record/tool-record.ts'
import type { ServiceDomain } from './service-domains.ts'

/** What an author writes about a tool, on three independent axes: classification, behaviour, extras. */
export interface ToolMetadata {
  readonly title?: string
  readonly classification?: { readonly serviceDomains?: readonly ServiceDomain[] }
  readonly behavior?: Behavior
  /** A sentence for activity feeds: `Sent email to {to}`. */
  readonly action?: string
  readonly tags?: readonly string[]
  /** Any JSON the author's own systems need; it changes nothing here. */
  readonly extras?: Readonly<Record<string, unknown>>
  /** `false` lets contradictions through. It stays in the author's process and is never sent. */
  readonly strict?: boolean
  /** The author's own `_meta`; keys under `io.hintgate/` are ours. */
  readonly _meta?: Readonly<Record<string, unknown>>
}

export interface Behavior extends HintValues {
  readonly operations?: readonly Operation[]
  readonly reach?: Reach
}

/**
 * The record an author's metadata stands for: the same one that is read back off the wire.
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

/** Drops keys that are set to `undefined`: absent has one spelling. */
export function withoutUndefined<T extends object>(object: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  const present = Object.entries(object).filter(([, value]) => value !== undefined)
  return Object.fromEntries(present) as { [K in keyof T]?: Exclude<T[K], undefined> }
}
