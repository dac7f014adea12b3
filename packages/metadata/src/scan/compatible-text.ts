/**
 * The most marks on one letter that normalisation accepts, because its time grows with their square. Four
 * letters become marks only through normalisation.
 */
const MARK = '[\\p{M}\\uFF9E\\uFF9F\\u0E33\\u0EB3]'
const MANY_MARKS = new RegExp(`(${MARK}{30})${MARK}+`, 'gu')
const TOO_MANY_MARKS = new RegExp(`${MARK}{31}`, 'u')
/** Two characters that expand to up to eighteen others, which are not expanded. */
const SENTENCES = /[\uFDFA\uFDFB]/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * A text in compatibility form (NFKC): full-width letters become plain ones, a fraction becomes digits. The time is
 * linear for any text; characters that would prevent this do not occur in real text and are not normalised.
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
 * Whether a text has more marks on one letter than real text has, for callers that must keep the marks.
 *
 * @example
 * import { hasManyMarks } from '@hintgate/metadata'
 * hasManyMarks('café') // => false
 */
export function hasManyMarks(text: string): boolean {
  return TOO_MANY_MARKS.test(text)
}
