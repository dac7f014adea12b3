import { foldLookAlikes } from '@hintgate/metadata'
import { readName } from '../../base/read-name.ts'
import type { Review, StoredDefinition } from '../../store/store.ts'
import type { KnownBodies } from './find-copies.ts'
import { idOf, type ReviewItem } from './review-item.ts'

/** A definition that this one is like, and in what. */
export interface Resemblance {
  readonly how: 'renamed from' | 'copy of' | 'has the name of' | 'is named like' | 'is described like'
  readonly id: string
  readonly state: ReviewItem['state'] | 'gone'
  /** What was last thought of one that is gone: who was rejected may come back under another name. */
  readonly was?: Review['verdict']
}

/** Of two descriptions, the share of words that are in both from which on one counts as written after the other. */
const ALIKE_FROM = 0.8
/** Two short sentences are alike by chance. */
const MIN_WORDS = 5
const MAX_SHOWN = 10

/** What a definition is a copy of, and which approved ones of other servers it could be taken for. */
export function findResemblances(
  item: ReviewItem,
  items: readonly ReviewItem[],
  bodies: KnownBodies,
): readonly Resemblance[] {
  const states = new Map(items.map(({ stored, state }) => [stored, state]))
  const copies = bodies.findCopies(item.stored, item.definition).map(
    ({ stored, how }): Resemblance => ({
      how,
      id: idOf(stored),
      ...standingOf(stored, states),
    }),
  )
  const copied = new Set(copies.map(({ id }) => id))
  const alike = items
    .filter(other => isApprovedElsewhere(other, item) && !copied.has(idOf(other.stored)))
    .flatMap((other): Resemblance[] => {
      const how = likenessOf(item, other)
      return how === undefined ? [] : [{ how, id: idOf(other.stored), state: other.state }]
    })
  return [...copies, ...alike].slice(0, MAX_SHOWN)
}

function standingOf(
  stored: StoredDefinition,
  states: ReadonlyMap<StoredDefinition, ReviewItem['state']>,
): Pick<Resemblance, 'state' | 'was'> {
  const state = states.get(stored)
  if (state !== undefined) return { state }
  const reviews = stored.versions.flatMap(({ review }) => (review === undefined ? [] : [review]))
  const last = reviews.toSorted((a, b) => b.at - a.at)[0]
  return { state: 'gone', ...(last === undefined ? {} : { was: last.verdict }) }
}

function isApprovedElsewhere(other: ReviewItem, { stored }: ReviewItem): boolean {
  return (
    other.state === 'approved' && other.stored.server !== stored.server && other.stored.kind === stored.kind
  )
}

function likenessOf(one: ReviewItem, other: ReviewItem): Resemblance['how'] | undefined {
  if (one.stored.kind === 'instructions') return undefined
  if (one.stored.name === other.stored.name) return 'has the name of'
  if (readName(one.stored.name) === readName(other.stored.name)) return 'is named like'
  return areAlike(wordsOf(one), wordsOf(other)) ? 'is described like' : undefined
}

function wordsOf({ definition }: ReviewItem): ReadonlySet<string> {
  const { description } = definition
  return new Set(
    typeof description === 'string' ? (foldLookAlikes(description).match(/[\p{L}\p{N}]+/gu) ?? []) : [],
  )
}

function areAlike(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size < MIN_WORDS || other.size < MIN_WORDS) return false
  const shared = [...one].filter(word => other.has(word)).length
  return shared / (one.size + other.size - shared) >= ALIKE_FROM
}
