/** How far around a number the words stand that say what it is. */
const BEFORE = 48
const AFTER = 16

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
