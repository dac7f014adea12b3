import { canonicalJson, foldLookAlikes, NotCanonicalError, type ToolDefinition } from '@hintgate/metadata'
import { readName } from '../../base/read-name.ts'
import type { DefinitionVersion, Review, StoredDefinition } from '../../store/store.ts'
import { idOf, type ReviewItem, readDefinitionOf } from './review-item.ts'

export interface Resemblance {
  readonly how: 'renamed from' | 'copy of' | 'has the name of' | 'is named like' | 'is described like'
  readonly id: string
  readonly state: ReviewItem['state'] | 'gone'
  /** The last decision about a removed definition. It matters because a rejected tool can return under another name. */
  readonly was?: Review['verdict']
}

/** Minimum share of words that two descriptions must have in common to count as similar. */
const ALIKE_FROM = 0.8
/** Minimum number of words to compare, because two short sentences can be similar by chance. */
const MIN_WORDS = 5
const MAX_SHOWN = 10

/** Finds the definitions that an item copies, and other servers' approved definitions that it could be mistaken for. */
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

/** The same definition under another name or on another server. */
interface Copy {
  readonly stored: StoredDefinition
  readonly how: 'renamed from' | 'copy of'
}

/** Indexes all stored versions by their content without the name, so that a copy is found under any name. */
export class KnownBodies {
  readonly #byBody = new Map<string, Set<StoredDefinition>>()

  constructor(known: readonly StoredDefinition[]) {
    for (const stored of known)
      for (const version of versionsThatCount(stored)) {
        const body = bodyOf(stored, readDefinitionOf(version))
        if (body === undefined) continue
        const same = this.#byBody.get(body)
        if (same === undefined) this.#byBody.set(body, new Set([stored]))
        else same.add(stored)
      }
  }

  /** Finds definitions with the same content under another name. Those that a server no longer has come first. */
  findCopies(own: StoredDefinition, definition: ToolDefinition): readonly Copy[] {
    const body = bodyOf(own, definition)
    const same = body === undefined ? [] : [...(this.#byBody.get(body) ?? [])]
    return same
      .filter(stored => stored !== own)
      .map((stored): Copy => {
        const isGone = stored.server === own.server && stored.current === undefined
        return { stored, how: isGone ? 'renamed from' : 'copy of' }
      })
      .toSorted((a, b) => rank(a) - rank(b))
  }
}

function rank({ how }: Copy): number {
  return how === 'renamed from' ? 0 : 1
}

/** Returns the current version of an existing definition, or all versions of a removed one. */
function versionsThatCount({ current, versions }: StoredDefinition): readonly DefinitionVersion[] {
  return current === undefined ? versions : versions.filter(({ fingerprint }) => fingerprint === current)
}

/** Returns a definition's content without the name; undefined if there is too little to compare. */
function bodyOf({ kind }: StoredDefinition, definition: ToolDefinition): string | undefined {
  const { name: _, uriTemplate: __, ...body } = definition
  if (typeof body.description !== 'string' || body.description.trim() === '') return undefined
  try {
    return `${kind} ${canonicalJson(body)}`
  } catch (error) {
    if (error instanceof NotCanonicalError) return undefined
    throw error
  }
}
