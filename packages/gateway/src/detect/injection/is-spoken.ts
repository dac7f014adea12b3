import type { Mark } from './read-marks.ts'

/** A name goes on behind the word, or is a function's: `encodeURIComponent`, `decode_uri`, `decode(`, `encode: (value) =>`. */
const GOES_ON = /[a-z\d]*(?:(?<=[a-z\d])[A-Z]|(?<=\w)(?:[_$(]|: \())/y
/** A name began before it: `_decode`, `#decoder`, `buffer.encode`. */
const BEGAN = /[_$#]$|[\w)\]]\??\.$/
/** The first word of its line, or of a list: there `state:` is a member of something. */
const OPENS = /(?:^|[\n({[,])[ \t]*$/
/** What a test is called: it tells of a program, and nobody to do anything. */
const TITLE = /(?:^|[\n*'"`(])[ \t]*should (?:always |not |never )?$/
/** How far before a word its surroundings are looked at. */
const BEFORE = 40

/** Whether somebody is told a word. Code has the same words in its names. */
export function isSpoken(text: string, { start, end }: Mark): boolean {
  const before = text.slice(Math.max(0, start - BEFORE), start)
  if (BEGAN.test(before) || TITLE.test(before)) return false
  const word = text.slice(start, end)
  if (word.endsWith(':')) return !/^[a-z]/.test(word) || !OPENS.test(before)
  GOES_ON.lastIndex = end
  return !GOES_ON.test(text)
}
