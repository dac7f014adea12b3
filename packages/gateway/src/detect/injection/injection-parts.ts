import { SPOKEN_PARTS, TRICK_PARTS } from './injection-words.ts'

/** The part that a word plays when a text talks to a model. */
export type Part = keyof typeof SPOKEN_PARTS | keyof typeof TRICK_PARTS

const BITS = new Map(
  Object.keys({ ...SPOKEN_PARTS, ...TRICK_PARTS }).map((part, at) => [part, 1 << at] as const),
)

/** A bit for each part: which of them a sentence has is asked for every rule. */
export function bitOf(part: Part): number {
  return BITS.get(part) ?? 0
}
