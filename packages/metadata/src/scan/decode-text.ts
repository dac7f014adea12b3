/** Part of a text that encodes another text. */
export interface Encoded {
  readonly start: number
  readonly end: number
  readonly decoded: string
  readonly encoding: string
}

interface Encoding {
  readonly name: string
  /** A substring to look for first. Without it, the pattern cannot match. */
  readonly mark: string
  /** Contains no nested repetition, so backtracking is limited. */
  readonly pattern: RegExp
  readonly decode: (match: string) => string
}

const MAX_CANDIDATES = 200
const MIN_READABLE = 4
const MIN_PRINTABLE = 0.95

/** Stands for a long run of letters and digits, of which most texts have none. */
const LETTERS = 'letters'
const LONG = /[A-Za-z0-9+/_-]{16}/

const ENCODINGS: readonly Encoding[] = [
  { name: 'base64', mark: LETTERS, pattern: /[A-Za-z0-9+/_-]{16,}/g, decode: decodeBase64 },
  {
    name: 'hexadecimal',
    mark: LETTERS,
    pattern: /[0-9a-fA-F]{24,}/g,
    decode: text => decodeUnits(text, /../g, 16),
  },
  {
    name: 'escaped bytes',
    mark: '\\x',
    pattern: /(?:\\x[0-9a-fA-F]{2}[ ,]?){4,}/g,
    decode: text => decodeUnits(text, /[0-9a-fA-F]{2}/g, 16),
  },
  {
    name: 'unicode escapes',
    mark: '\\u',
    pattern: /(?:\\u\{?[0-9a-fA-F]{2,6}\}?){4,}/g,
    decode: text => decodeUnits(text, /[0-9a-fA-F]{2,6}/g, 16),
  },
  {
    name: 'percent-encoding',
    mark: '%',
    pattern: /(?:[\w.-]{0,40}%[0-9a-fA-F]{2}){3,}[\w.-]{0,40}/g,
    decode: decodePercent,
  },
  {
    name: 'character references',
    mark: '&#',
    pattern: /(?:&#[xX]?[0-9a-fA-F]{2,6};){4,}/g,
    decode: decodeReferences,
  },
  {
    name: 'character codes',
    mark: '',
    pattern: /\d{2,3}(?:[ ,]{1,2}\d{2,3}){9,}/g,
    decode: text => decodeUnits(text, /\d{2,3}/g, 10),
  },
]

/** Finds every part of a text that decodes to something readable. */
export function findEncoded(text: string): readonly Encoded[] {
  const hasLong = LONG.test(text)
  return ENCODINGS.flatMap(encoding => {
    const may = encoding.mark === LETTERS ? hasLong : text.includes(encoding.mark)
    return may ? findStretches(text, encoding) : []
  })
}

function findStretches(text: string, { name, pattern, decode }: Encoding): readonly Encoded[] {
  const found: Encoded[] = []
  let candidates = 0
  for (const { 0: match, index } of text.matchAll(pattern)) {
    candidates += 1
    if (candidates > MAX_CANDIDATES) break
    const decoded = decode(match)
    if (isReadable(decoded)) found.push({ start: index, end: index + match.length, decoded, encoding: name })
  }
  return found
}

const ALPHABET = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
const sextetOf = new Map(Array.from(ALPHABET, (letter, value) => [letter, value]))
sextetOf.set('-', 62)
sextetOf.set('_', 63)

/** Decodes base64. `atob` is not used, because it is not part of the language and rejects the URL-safe alphabet. */
function decodeBase64(text: string): string {
  let bits = 0
  let held = 0
  let decoded = ''
  for (const letter of text) {
    held = ((held << 6) | (sextetOf.get(letter) ?? 0)) & 0xfff
    bits += 6
    if (bits < 8) continue
    bits -= 8
    decoded += String.fromCharCode((held >> bits) & 0xff)
  }
  return decoded
}

function decodeUnits(text: string, unit: RegExp, radix: number): string {
  return Array.from(text.matchAll(unit), ([digits]) => toCharacter(digits, radix)).join('')
}

function decodePercent(text: string): string {
  return text.replaceAll(/%([0-9a-fA-F]{2})/g, (_, digits: string) => toCharacter(digits, 16))
}

function decodeReferences(text: string): string {
  const references = text.matchAll(/&#([xX]?)([0-9a-fA-F]{2,6});/g)
  return Array.from(references, ([, hex, digits = '']) => toCharacter(digits, hex === '' ? 10 : 16)).join('')
}

function toCharacter(digits: string, radix: number): string {
  const code = Number.parseInt(digits, radix)
  return code <= 0x10ffff ? String.fromCodePoint(code) : ''
}

/** Returns true for printable text with enough letters. Random bytes of this length rarely look like that. */
function isReadable(text: string): boolean {
  if (text.length < MIN_READABLE || !/[a-z]{2}/i.test(text)) return false
  let printable = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if ((code >= 32 && code < 127) || code === 10 || code === 9) printable += 1
  }
  return printable / text.length > MIN_PRINTABLE
}
