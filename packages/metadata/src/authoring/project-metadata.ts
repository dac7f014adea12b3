import { HINTS, type HintName, type HintValues, RISK_HINTS, SPEC_HINTS } from '../hint/hints.ts'
import type { ToolRecord } from '../record/tool-record.ts'
import { type ToolMetadata, toRecord, withoutUndefined } from './tool-metadata.ts'

/** The keys that Hintgate writes in `_meta`. */
export const META_METADATA = 'io.hintgate/metadata'
export const META_HINTS = 'io.hintgate/hints'

export interface ProjectionOptions {
  /** Fills in the specification's defaults for flags that are not set. */
  readonly projectDefaults?: boolean
  /**
   * `arcade` also writes `_meta.arcade.metadata`. `guide` marks a tool that sends data out irreversibly as destructive,
   * because some clients expect that.
   */
  readonly dialect?: 'arcade' | 'guide'
}

/** The parts of a tool on the wire that come from its metadata. */
export interface Projection {
  readonly title?: string
  readonly annotations?: Readonly<Record<string, unknown>>
  readonly _meta?: Readonly<Record<string, unknown>>
}

/**
 * Converts metadata to its form on the wire. Set flags are sent, unset flags are omitted, and reading the
 * result gives the same record.
 *
 * @example
 * import { projectMetadata } from '@hintgate/metadata'
 * projectMetadata({ title: 'Delete file', behavior: { destructive: true } })
 * // => { title: 'Delete file', annotations: { title: 'Delete file', destructiveHint: true } }
 */
export function projectMetadata(metadata: ToolMetadata, options: ProjectionOptions = {}): Projection {
  const record = toRecord(metadata)
  const annotations = { ...withoutUndefined({ title: record.title }), ...projectFlags(record.hints, options) }
  const meta = {
    ...metadata._meta,
    ...withoutUndefined({
      [META_METADATA]: nonEmpty(projectRest(record)),
      [META_HINTS]: nonEmpty(onWire(record.hints, RISK_HINTS)),
      arcade: options.dialect === 'arcade' ? projectArcade(metadata, record) : undefined,
    }),
  }
  return withoutUndefined({ title: record.title, annotations: nonEmpty(annotations), _meta: nonEmpty(meta) })
}

function projectFlags(hints: HintValues, options: ProjectionOptions): Record<string, boolean> {
  const defaults = options.projectDefaults
    ? Object.fromEntries(SPEC_HINTS.map(h => [HINTS[h].wire, HINTS[h].strict]))
    : {}
  const flags = { ...defaults, ...onWire(hints, SPEC_HINTS) }
  const cannotBeTakenBack = hints.egress === true && hints.reversible !== true && hints.readOnly !== true
  return options.dialect === 'guide' && cannotBeTakenBack ? { ...flags, destructiveHint: true } : flags
}

function onWire(hints: HintValues, names: readonly HintName[]): Record<string, boolean> {
  const set = names.flatMap(name => {
    const value = hints[name]
    return value === undefined ? [] : [[HINTS[name].wire, value] as const]
  })
  return Object.fromEntries(set)
}

/** Returns the metadata for which the specification has no field. */
function projectRest({ operations, reach, serviceDomains, action, tags, extras }: ToolRecord): object {
  return withoutUndefined({
    classification: nonEmpty(withoutUndefined({ serviceDomains })),
    behavior: nonEmpty(withoutUndefined({ operations, reach })),
    action,
    tags,
    extras,
  })
}

function projectArcade(metadata: ToolMetadata, record: ToolRecord): object {
  const { readOnly, destructive, idempotent, openWorld } = record.hints
  const flags = { read_only: readOnly, destructive, idempotent, open_world: openWorld }
  const behavior = nonEmpty(withoutUndefined({ operations: record.operations, ...flags }))
  const classification = nonEmpty(withoutUndefined({ service_domains: record.serviceDomains }))
  const authors = metadata._meta?.arcade
  const kept = typeof authors === 'object' && authors !== null ? authors : {}
  return { ...kept, metadata: withoutUndefined({ classification, behavior, extras: record.extras }) }
}

function nonEmpty<T extends object>(object: T): T | undefined {
  return Object.keys(object).length > 0 ? object : undefined
}
