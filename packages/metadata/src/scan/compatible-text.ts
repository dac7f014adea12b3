/**
 * What is normalised must not have more marks on one letter than that: the time that takes grows with their square. Four
 * letters become marks only then.
 */
const MARK = '[\\p{M}\\uFF9E\\uFF9F\\u0E33\\u0EB3]'
const MANY_MARKS = new RegExp(`(${MARK}{30})${MARK}+`, 'gu')
const TOO_MANY_MARKS = new RegExp(`${MARK}{31}`, 'u')
/** Two characters that stand for whole sentences of up to eighteen others. Nobody reads those in them. */
const SENTENCES = /[\uFDFA\uFDFB]/g
const NOT_ASCII = /[^\0-\x7f]/

/**
 * A text in the compatibility form (NFKC): wide letters are plain ones, a fraction is its figures. In time that grows with
 * the text and with nothing else, whatever stands in it; what no honest text has is left out for that.
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
 * Whether a text has more marks on one letter than anybody writes, for those who cannot leave them out.
 *
 * @example
 * import { hasManyMarks } from '@hintgate/metadata'
 * hasManyMarks('café') // => false
 */
export function hasManyMarks(text: string): boolean {
  return TOO_MANY_MARKS.test(text)
}
