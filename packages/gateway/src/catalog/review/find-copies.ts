import { canonicalJson, NotCanonicalError, type ToolDefinition } from '@hintgate/metadata'
import type { DefinitionVersion, StoredDefinition } from '../../store/store.ts'
import { readDefinitionOf } from './review-item.ts'

/** Where the same definition was seen under another name, or on another server. */
export interface Copy {
  readonly stored: StoredDefinition
  readonly how: 'renamed from' | 'copy of'
}

/** All versions that were ever seen, by what they say besides their names: renaming hides nothing. */
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

  /** What this is the same as but for its name, and what a server no longer has first. */
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

/** Of what a server has, what it says now; of what it no longer has, all that it ever said. */
function versionsThatCount({ current, versions }: StoredDefinition): readonly DefinitionVersion[] {
  return current === undefined ? versions : versions.filter(({ fingerprint }) => fingerprint === current)
}

/** Absent where there is next to nothing to compare. */
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
