import { showUntrusted } from '@hintgate/metadata'

/** Visible text, or one character that would otherwise be invisible. */
export type Piece = { readonly kind: 'text'; readonly text: string } | HiddenPiece

interface HiddenPiece {
  readonly kind: 'hidden'
  /** The mark's short text, such as `RLO` or `U+200B`. */
  readonly label: string
  /** The character's full name, shown as a tooltip. */
  readonly name: string
}

/** Characters that have a known name. All others are labelled with their code point. */
const NAMES: Readonly<Record<number, readonly [label: string, name: string]>> = {
  0: ['NUL', 'null character'],
  7: ['BEL', 'bell'],
  8: ['BS', 'backspace'],
  9: ['TAB', 'tab'],
  10: ['LF', 'line break'],
  13: ['CR', 'carriage return'],
  27: ['ESC', 'escape'],
  127: ['DEL', 'delete'],
  173: ['SHY', 'soft hyphen'],
  8203: ['ZWSP', 'zero-width space'],
  8204: ['ZWNJ', 'zero-width non-joiner'],
  8205: ['ZWJ', 'zero-width joiner'],
  8206: ['LRM', 'left-to-right mark'],
  8207: ['RLM', 'right-to-left mark'],
  8232: ['LS', 'line separator'],
  8233: ['PS', 'paragraph separator'],
  8234: ['LRE', 'left-to-right embedding'],
  8235: ['RLE', 'right-to-left embedding'],
  8236: ['PDF', 'pop directional formatting'],
  8237: ['LRO', 'left-to-right override'],
  8238: ['RLO', 'right-to-left override'],
  8288: ['WJ', 'word joiner'],
  8294: ['LRI', 'left-to-right isolate'],
  8295: ['RLI', 'right-to-left isolate'],
  8296: ['FSI', 'first strong isolate'],
  8297: ['PDI', 'pop directional isolate'],
  65279: ['BOM', 'zero-width no-break space'],
}

/** Enough characters for the escaped form of any character. */
const WRITTEN_OUT = 12

/**
 * Splits untrusted text into visible parts and hidden characters, each of which can be shown as a mark. A character is
 * hidden if `showUntrusted` escapes it, which includes characters that reorder text or break lines.
 *
 * @example
 * splitHidden('a\u202Eb') // text 'a', hidden RLO, text 'b'
 */
export function splitHidden(text: string, keepLines = false): readonly Piece[] {
  if (showUntrusted(text, text.length + 1) === text) return text === '' ? [] : [{ kind: 'text', text }]
  const pieces: Piece[] = []
  let plain = ''
  for (const character of text) {
    const isKept = keepLines && (character === '\n' || character === '\t')
    if (isKept || showUntrusted(character, WRITTEN_OUT) === character) plain += character
    else {
      if (plain !== '') pieces.push({ kind: 'text', text: plain })
      plain = ''
      pieces.push(describeHidden(character))
    }
  }
  if (plain !== '') pieces.push({ kind: 'text', text: plain })
  return pieces
}

const TAGS = { first: 0xe0020, last: 0xe007e, base: 0xe0000 }

function describeHidden(character: string): HiddenPiece {
  const code = character.codePointAt(0) ?? 0
  const known = NAMES[code]
  if (known !== undefined) return { kind: 'hidden', label: known[0], name: known[1] }
  const number = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  // Tag characters spell text that is invisible, and a reviewer must be able to read it.
  if (code >= TAGS.first && code <= TAGS.last)
    return {
      kind: 'hidden',
      label: `tag ${String.fromCharCode(code - TAGS.base)}`,
      name: `invisible tag character ${number}`,
    }
  return { kind: 'hidden', label: number, name: `hidden character ${number}` }
}
