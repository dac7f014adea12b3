/**
 * Characters that hide text, reorder it or break a line: control, format (zero-width, bidi, tags), separators, private
 * use, and characters that Unicode allows fonts to ignore (variation selectors, Hangul fillers). The blank Braille
 * pattern is not in those classes, but is invisible too.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Prepares text from a server or an agent for display: on one line, shortened, with every hidden or
 * reordering character escaped.
 *
 * @example
 * import { showUntrusted } from '@hintgate/metadata'
 * showUntrusted('a\u202Eb') // => 'a\\u{202e}b'
 * showUntrusted('abcdef', 4) // => 'abc…'
 */
export function showUntrusted(text: string, maxLength = 80): string {
  // Cut before escaping, so that the cost does not grow with the text.
  const visible = text.slice(0, maxLength * 2).replaceAll(INVISIBLE, writeOut)
  const characters = Array.from(visible)
  const isCut = characters.length > maxLength || text.length > maxLength * 2
  return isCut ? `${characters.slice(0, maxLength - 1).join('')}…` : visible
}

function writeOut(character: string): string {
  if (character === '\n') return '\\n'
  if (character === '\t') return '\\t'
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}
