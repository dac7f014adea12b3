import { toCompatible } from '@hintgate/metadata'
import { dropUnseen } from './find-hidden-text.ts'

const NOT_PLAIN = /[^\t\n\r -~]/
const FORMATS = /\p{Cf}/gu

/**
 * A text without what shows nothing, and with wide letters as plain ones: neither must hide a number, a key or a host from
 * a rule that blocks. Mostly the text itself.
 */
export function toPlain(text: string): string {
  // Once more at the end: what is unseen may come out only then.
  return NOT_PLAIN.test(text) ? dropUnseen(toCompatible(dropUnseen(text)).replaceAll(FORMATS, '')) : text
}
