/**
 * Characters that hide text, reorder it or break a line: control, format (zero-width, bidirectional, tag), separator
 * and private-use characters, and those that Unicode lets fonts ignore (variation selectors, Hangul fillers). The blank
 * Braille pattern is in none of these classes, but is invisible too.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Prepares text from a server or an agent for display: the text is put on one line and shortened, and every character
 * that hides or reorders text is escaped.
 *
 * @example
 * import { showUntrusted } from '@hintgate/metadata'
 * showUntrusted('a\u202Eb') // => 'a\\u{202e}b'
 * showUntrusted('abcdef', 4) // => 'abc…'
 */
export function showUntrusted(text: string, maxLength = 80): string {
  // The text is cut before escaping, so a long text costs no more than a short one.
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
