import { diffWordsWithSpace } from 'diff'

/**
 * A span of a comparison of two texts. All spans except `added` ones form the old text, and all except `removed` ones
 * the new text.
 */
export interface TextPart {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/**
 * Maximum number of edits to look for, because the effort grows with their square and servers choose the texts. If
 * there are more edits, the two texts are shown one after the other.
 */
const MAX_EDITS = 1500

/**
 * Finds the words that differ between two versions of a text.
 *
 * @example
 * diffWords('Reads it.', 'Drops it.') // removed 'Reads', added 'Drops', same ' it.'
 */
export function diffWords(before: string, after: string): readonly TextPart[] {
  const changes = diffWordsWithSpace(before, after, { maxEditLength: MAX_EDITS })
  if (changes === undefined) return replaced(before, after)
  return joinPhrases(
    changes.map(({ added, removed, value }) => ({
      kind: added ? 'added' : removed ? 'removed' : 'same',
      text: value,
    })),
  )
}

/** Joins changed words that only an unchanged space separates, because phrases are easier to read than single words. */
function joinPhrases(parts: readonly TextPart[]): readonly TextPart[] {
  const joined: TextPart[] = []
  let [removed, added] = ['', '']
  const flush = (): void => {
    joined.push(...replaced(removed, added))
    removed = added = ''
  }
  for (const [index, { kind, text }] of parts.entries()) {
    if (kind === 'removed') removed += text
    else if (kind === 'added') added += text
    else if (index > 0 && index < parts.length - 1 && text.trim() === '') {
      removed += text
      added += text
    } else {
      flush()
      joined.push({ kind, text })
    }
  }
  flush()
  return joined
}

function replaced(removed: string, added: string): readonly TextPart[] {
  const parts: readonly TextPart[] = [
    { kind: 'removed', text: removed },
    { kind: 'added', text: added },
  ]
  return parts.filter(({ text }) => text !== '')
}
