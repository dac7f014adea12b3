import type { Passage } from './passage.ts'

const PER_PASSAGE = 120
const PER_TOKEN = 10

/** Estimates the memory that passages take, in bytes. */
export function sizeOfAll(passages: readonly Passage[]): number {
  return passages.reduce((sum, passage) => sum + sizeOf(passage), 0)
}

function sizeOf({ tokens, excerpt }: Passage): number {
  return PER_PASSAGE + PER_TOKEN * tokens.count + 2 * excerpt.length
}
