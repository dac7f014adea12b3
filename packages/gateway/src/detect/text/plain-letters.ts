/** One way to read a text, with the original offset of each character. */
export interface Reading {
  readonly text: string
  readonly places: () => Int32Array
}

/**
 * The hexadecimal code of a letter, digit, dash, dot or `_`. Legitimate JSON, source code, URLs and HTML do not escape
 * these characters.
 */
const LETTER_CODE = '(?:2[DEde]|3\\d|[46][1-9A-Fa-f]|5[\\dAFaf]|7[\\dAa])'
export const CODES = new RegExp(
  `\\\\u00${LETTER_CODE}|\\\\x${LETTER_CODE}|\\\\u\\{0{0,4}${LETTER_CODE}\\}|%${LETTER_CODE}|&#[xX]0{0,4}${LETTER_CODE};|&#0{0,4}(?:4[5689]|5[0-7]|6[5-9]|[78]\\d|9[05789]|1[01]\\d|12[0-2]);`,
)
const SMALL_CAPITALS: ReadonlyMap<string, string> = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'].map((capital, at) => [capital, 'abcdefghijklmnoprstuvwyz'.charAt(at)]),
)
/** The code units of full-width, circled, superscript, subscript and small capital letters, and of combining marks. */
const STYLED_UNIT = `\\uFF01-\\uFF5E\\u2460-\\u24FF\\u2070-\\u209C\\u02B0-\\u02B8\\u02E0-\\u02E4\\u1D2C-\\u1D6A\\u1D9B-\\u1DBF\\u0300-\\u036F${[...SMALL_CAPITALS.keys()].join('')}`
/** All styled letters and digits: the ones in `STYLED_UNIT`, mathematical letters, and escapes. */
export const STYLED = new RegExp(
  `[${STYLED_UNIT}\\u{1D400}-\\u{1D7FF}\\u{1F130}-\\u{1F189}]|${CODES.source}`,
  'u',
)
const CODE_HERE = new RegExp(CODES.source, 'y')
/** The longest replacement of one styled letter: `⒇` becomes the four characters `(20)`. */
const MOST_LETTERS = 4

/** Converts the styled letters of a text to plain ones, in one pass. */
export function readPlain(text: string): Reading {
  const letters = new Uint16Array(text.length * MOST_LETTERS)
  const places = new Int32Array(letters.length + 1)
  let count = 0
  for (let at = 0; at < text.length; ) {
    const units = styledLengthAt(text, at)
    const plain = units === 0 ? undefined : toPlainLetter(text.slice(at, at + units))
    const length = plain?.length ?? 1
    for (let letter = 0; letter < length; letter += 1) {
      letters[count] = plain === undefined ? text.charCodeAt(at) : plain.charCodeAt(letter)
      places[count] = at
      count += 1
    }
    at += Math.max(1, units)
  }
  places[count] = text.length
  return {
    text: Buffer.from(letters.buffer, 0, count * 2).toString('utf16le'),
    places: () => places.subarray(0, count + 1),
  }
}

/**
 * Returns the number of code units of the styled letter at an offset, or 0 if the letter there is plain. Matches the
 * same letters as `STYLED`.
 */
function styledLengthAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) {
    if (code !== BACKSLASH && code !== PERCENT && code !== AMPERSAND) return 0
    CODE_HERE.lastIndex = at
    return CODE_HERE.test(text) ? CODE_HERE.lastIndex - at : 0
  }
  if (isStyled(code)) return 1
  const low = code === 0xd835 || code === 0xd83c ? text.charCodeAt(at + 1) : 0
  if (code === 0xd835) return low >= 0xdc00 && low <= 0xdfff ? 2 : 0
  return code === 0xd83c && low >= 0xdd30 && low <= 0xdd89 ? 2 : 0
}

const UNIT = new RegExp(`[${STYLED_UNIT}]`)
/** A lookup table indexed by code unit: 1 for each styled letter. It is created on first use. */
let styledUnits: Uint8Array | undefined

function isStyled(code: number): boolean {
  styledUnits ??= Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    UNIT.test(String.fromCharCode(unit)) ? 1 : 0,
  )
  return styledUnits[code] === 1
}

const AMPERSAND = 38
const PERCENT = 37
const BACKSLASH = 92

/** Caches the plain form of styled letters, with at most 2,000 entries. */
const plainLetters = new Map<string, string>()

function toPlainLetter(styled: string): string {
  const known = plainLetters.get(styled)
  if (known !== undefined) return known
  const plain = styled.length <= 2 ? strip(styled) : decode(styled)
  plainLetters.set(styled, plain)
  return plain
}

function strip(styled: string): string {
  return SMALL_CAPITALS.get(styled) ?? styled.normalize('NFKC').replaceAll(/[\u0300-\u036F]/g, '')
}

function decode(styled: string): string {
  const code = styled.replaceAll(/[^\dA-Fa-f]/g, '')
  return String.fromCharCode(Number.parseInt(code, /^&#\d/.test(styled) ? 10 : 16))
}
