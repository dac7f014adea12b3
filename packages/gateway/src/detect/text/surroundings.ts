/** How far around a number the words stand that say what it is. */
const BEFORE = 48
const AFTER = 16
/** No word, nor phrase, is longer. */
const LONGEST_CUE = 64

/** Which words tell what a number is, before it or right behind it. */
export interface Cues {
  readonly before: RegExp
  readonly after?: RegExp
}

/** Whether the words around a stretch of text say what it is. Looks a bounded way, however long the text. */
export function hasCue(text: string, { start, end }: { start: number; end: number }, cues: Cues): boolean {
  if (cues.before.test(text.slice(Math.max(0, start - BEFORE), start))) return true
  return cues.after?.test(text.slice(end, end + AFTER)) ?? false
}

/**
 * Tells of places, asked in their order, whether words of a (global) pattern stand near enough before them to be worth a
 * closer look. The text is read once, and only as far as it is asked.
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
