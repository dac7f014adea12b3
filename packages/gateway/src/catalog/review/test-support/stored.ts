import { fingerprint, type ToolDefinition } from '@hintgate/metadata'
import type { DefinitionKind, DefinitionVersion, Review, StoredDefinition } from '../../../store/store.ts'
import { listItems, type ReviewItem } from '../review-item.ts'

export type Versioned = readonly [definition: ToolDefinition, verdict?: Review['verdict'], by?: string]

interface Options {
  readonly server?: string
  readonly kind?: DefinitionKind
  readonly name?: string
  readonly isGone?: boolean
  readonly isDisabled?: boolean
}

/** Creates a stored definition with these versions in order. The last one is the current one. */
export function stored(versions: readonly Versioned[], options: Options = {}): StoredDefinition {
  const { server = 'notes', kind = 'tool', isGone = false, isDisabled = false } = options
  const kept = versions.map(([definition, verdict, by = 'ada'], at): DefinitionVersion => {
    return {
      fingerprint: fingerprint(definition),
      definition: JSON.stringify(definition),
      firstSeenAt: at,
      lastSeenAt: at,
      ...(verdict === undefined ? {} : { review: { verdict, by, at } }),
    }
  })
  const current = kept.at(-1)?.fingerprint
  const name = options.name ?? versions[0]?.[0].name ?? ''
  return {
    ...{ server, kind, name, isDisabled, versions: kept },
    ...(isGone || current === undefined ? {} : { current }),
  }
}

/** Returns the review items for these definitions, on servers that are not trusted. */
export function itemsOf(...known: readonly StoredDefinition[]): readonly ReviewItem[] {
  return listItems(known, { isQuarantined: true, trustOf: () => 'reviewed' })
}
