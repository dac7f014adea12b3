/** Cue words count only this many characters before a number, and `AFTER` characters after it. */
const BEFORE = 48
const AFTER = 16
/** Maximum length of a cue word or phrase. */
const LONGEST_CUE = 64

/** Words before or right after a number that tell what kind of number it is. */
export interface Cues {
  readonly before: RegExp
  readonly after?: RegExp
}

/** Whether cue words stand near a range of a text. Only a fixed distance around the range is read. */
export function hasCue(text: string, { start, end }: { start: number; end: number }, cues: Cues): boolean {
  if (cues.before.test(text.slice(Math.max(0, start - BEFORE), start))) return true
  return cues.after?.test(text.slice(end, end + AFTER)) ?? false
}

/**
 * Returns a function that tells whether a cue word stands shortly before an offset. Its offsets must be ascending, and
 * `words` must be a global pattern: the text is read once, and only up to the offset.
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
