/** The number of characters around a number in which cue words count. */
const BEFORE = 48
const AFTER = 16
/** The maximum length of a cue word or phrase. */
const LONGEST_CUE = 64

/** Cue words that identify a number, before it or right after it. */
export interface Cues {
  readonly before: RegExp
  readonly after?: RegExp
}

/** Whether cue words around a range identify it. Reads a bounded distance. */
export function hasCue(text: string, { start, end }: { start: number; end: number }, cues: Cues): boolean {
  if (cues.before.test(text.slice(Math.max(0, start - BEFORE), start))) return true
  return cues.after?.test(text.slice(end, end + AFTER)) ?? false
}

/**
 * Returns a function that tells, for ascending offsets, whether a cue word of a (global) pattern is near enough before the
 * offset. The text is read once, and only up to the offset.
 */
export function watchFor(words: RegExp, text: string): (at: number) => boolean {
  let last = Number.NEGATIVE_INFINITY
  let next = Number.NEGATIVE_INFINITY
  let from = 0
  return at => {
    while (next < at) {
      last = next
      words.lastIndex = from
      const match = words.exec(text)
      next = match?.index ?? Number.POSITIVE_INFINITY
      from = words.lastIndex
    }
    return at - last <= BEFORE + LONGEST_CUE
  }
}
