/**
 * Characters that combine with a letter. Normalisation takes time that grows with the square of their number on one
 * letter, so that number is limited. The last four are included because normalisation turns them into marks.
 */
const MARK = '[\\p{M}\\uFF9E\\uFF9F\\u0E33\\u0EB3]'
const MANY_MARKS = new RegExp(`(${MARK}{30})${MARK}+`, 'gu')
const TOO_MANY_MARKS = new RegExp(`${MARK}{31}`, 'u')
/**
 * Two ligatures, each of which normalisation would expand to up to eighteen characters. They are replaced by a space
 * instead.
 */
const SENTENCES = /[\uFDFA\uFDFB]/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * Converts a text to compatibility form (NFKC): full-width letters become plain ones, for example, and fractions become
 * digits. The time is linear for any text. Characters that would prevent that are left out; they do not occur in real
 * text.
 *
 * @example
 * import { toCompatible } from '@hintgate/metadata'
 * toCompatible('ｆｉｌｅ') // => 'file'
 */
export function toCompatible(text: string): string {
  if (!NOT_ASCII.test(text)) return text
  return text.replaceAll(SENTENCES, ' ').replaceAll(MANY_MARKS, '$1').normalize('NFKC')
}

/**
 * Returns true if a letter has more combining marks than in any real text. It is for callers that must keep the marks.
 *
 * @example
 * import { hasManyMarks } from '@hintgate/metadata'
 * hasManyMarks('café') // => false
 */
export function hasManyMarks(text: string): boolean {
  return TOO_MANY_MARKS.test(text)
}
