import { findRequestWords } from './find-request-words.ts'
import { type Asks, readRequest } from './read-request.ts'
import { mayBeProse, type Part, type Sentence, sentencesOf, splitParts } from './split-sentences.ts'

/** A reference to another sentence reaches at most this many sentences or fields in either direction. */
export const FARTHEST = 4

/** Adjacent sentences of a text, each with what it asks for. */
export interface Stretch {
  readonly sentences: readonly Sentence[]
  readonly own: readonly Asks[]
}

/**
 * Finds the sentences that ask for something, with the sentences around them. All others ask an agent for nothing, so
 * most of a text is not even split into sentences. With `readsAll`, returns all sentences as one stretch.
 */
export function readNearRequests(text: string, readsAll: boolean): Stretch[] {
  const parts = splitParts(text)
  const places = parts.map(part => (mayBeProse(part) ? findRequestWords(part.text) : NONE))
  const stretches: Stretch[] = []
  for (const { from, to } of readsAll ? [{ from: 0, to: parts.length }] : rangesOf(places))
    stretches.push(readStretch(parts.slice(from, to), places.slice(from, to)))
  return stretches
}

const NONE: readonly number[] = []

interface Range {
  readonly from: number
  to: number
}

/** Every part contains at least one sentence, so a reference reaches no more parts than it reaches sentences. */
function rangesOf(places: readonly (readonly number[])[]): Range[] {
  const ranges: Range[] = []
  for (const [index, { length }] of places.entries()) {
    if (length === 0) continue
    const to = Math.min(places.length, index + FARTHEST + 1)
    const last = ranges.at(-1)
    if (last !== undefined && last.to >= index - FARTHEST) last.to = to
    else ranges.push({ from: Math.max(0, index - FARTHEST), to })
  }
  return ranges
}

function readStretch(parts: readonly Part[], places: readonly (readonly number[])[]): Stretch {
  const sentences: Sentence[] = []
  const own: Asks[] = []
  for (const [index, part] of parts.entries()) {
    const found = places[index] ?? NONE
    let next = 0
    for (const sentence of sentencesOf(part)) {
      const first = next
      while (next < found.length && (found[next] ?? 0) < sentence.end) next += 1
      sentences.push(sentence)
      own.push(next > first && sentence.isProse ? readRequest(sentence.text) : 0)
    }
  }
  return { sentences, own }
}
