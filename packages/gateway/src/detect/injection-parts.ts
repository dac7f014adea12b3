import type { SPOKEN_PARTS, TRICK_PARTS } from './injection-words.ts'

/** The part that a word plays when a text talks to a model. */
export type Part = keyof typeof SPOKEN_PARTS | keyof typeof TRICK_PARTS
