/** A text as somebody may take it, and where in the text each character stands that is read. */
export interface Reading {
  readonly text: string
  readonly places: () => Int32Array
}

/** A letter, a digit, a dash, a dot or a `_` by its number, in JSON, in programs, in links and on pages: nobody honest writes it so. */
const LETTER_CODE = '(?:2[DEde]|3\\d|[46][1-9A-Fa-f]|5[\\dAFaf]|7[\\dAa])'
export const CODES = new RegExp(
  `\\\\u00${LETTER_CODE}|\\\\x${LETTER_CODE}|\\\\u\\{0{0,4}${LETTER_CODE}\\}|%${LETTER_CODE}|&#[xX]0{0,4}${LETTER_CODE};|&#0{0,4}(?:4[5689]|5[0-7]|6[5-9]|[78]\\d|9[05789]|1[01]\\d|12[0-2]);`,
)
const SMALL_CAPITALS: ReadonlyMap<string, string> = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'].map((capital, at) => [capital, 'abcdefghijklmnoprstuvwyz'.charAt(at)]),
)
/** Wide, in circles, raised, lowered, as small capitals; and marks on letters, of which none is left in plain dress. */
const DRESSED_UNIT = `\\uFF01-\\uFF5E\\u2460-\\u24FF\\u2070-\\u209C\\u02B0-\\u02B8\\u02E0-\\u02E4\\u1D2C-\\u1D6A\\u1D9B-\\u1DBF\\u0300-\\u036F${[...SMALL_CAPITALS.keys()].join('')}`
/** Letters and digits in other dress: those, bold ones, and by their numbers. */
export const DRESSED = new RegExp(
  `[${DRESSED_UNIT}\\u{1D400}-\\u{1D7FF}\\u{1F130}-\\u{1F189}]|${CODES.source}`,
  'u',
)
const CODE_HERE = new RegExp(CODES.source, 'y')
/** `⒇` is four letters long when it is read. */
const MOST_LETTERS = 4

/** In plain dress. One pass, however many letters wear another. */
export function readPlain(text: string): Reading {
  const letters = new Uint16Array(text.length * MOST_LETTERS)
  const places = new Int32Array(letters.length + 1)
  let count = 0
  for (let at = 0; at < text.length; ) {
    const dress = dressAt(text, at)
    const plain = dress === 0 ? undefined : undress(text.slice(at, at + dress))
    const length = plain?.length ?? 1
    for (let letter = 0; letter < length; letter += 1) {
      letters[count] = plain === undefined ? text.charCodeAt(at) : plain.charCodeAt(letter)
      places[count] = at
      count += 1
    }
    at += Math.max(1, dress)
  }
  places[count] = text.length
  return {
    text: Buffer.from(letters.buffer, 0, count * 2).toString('utf16le'),
    places: () => places.subarray(0, count + 1),
  }
}

/** How many units are one letter in other dress; none where that is plain. The same letters as `DRESSED` has. */
function dressAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) {
    if (code !== BACKSLASH && code !== PERCENT && code !== AMPERSAND) return 0
    CODE_HERE.lastIndex = at
    return CODE_HERE.test(text) ? CODE_HERE.lastIndex - at : 0
  }
  if (isDressed(code)) return 1
  const low = code === 0xd835 || code === 0xd83c ? text.charCodeAt(at + 1) : 0
  if (code === 0xd835) return low >= 0xdc00 && low <= 0xdfff ? 2 : 0
  return code === 0xd83c && low >= 0xdd30 && low <= 0xdd89 ? 2 : 0
}

const UNIT = new RegExp(`[${DRESSED_UNIT}]`)
/** By the number of a unit; made when it is first needed. */
let dressedUnits: Uint8Array | undefined

function isDressed(code: number): boolean {
  dressedUnits ??= Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    UNIT.test(String.fromCharCode(unit)) ? 1 : 0,
  )
  return dressedUnits[code] === 1
}

const AMPERSAND = 38
const PERCENT = 37
const BACKSLASH = 92

/** There are no more than two thousand of them. */
const undressed = new Map<string, string>()

function undress(dressed: string): string {
  const known = undressed.get(dressed)
  if (known !== undefined) return known
  const plain = dressed.length <= 2 ? strip(dressed) : decode(dressed)
  undressed.set(dressed, plain)
  return plain
}

function strip(dressed: string): string {
  return SMALL_CAPITALS.get(dressed) ?? dressed.normalize('NFKC').replaceAll(/[\u0300-\u036F]/g, '')
}

function decode(dressed: string): string {
  const code = dressed.replaceAll(/[^\dA-Fa-f]/g, '')
  return String.fromCharCode(Number.parseInt(code, /^&#\d/.test(dressed) ? 10 : 16))
}
