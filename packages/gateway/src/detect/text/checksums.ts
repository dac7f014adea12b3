/** Checksums that formats carry, so that a number is told from a number like it. Digits come as text. */

const ZERO = 48

function digitAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - ZERO
}

/** Cards, Swedish and Canadian numbers: every second digit from the right counts double. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, isDouble = false; at >= 0; at -= 1, isDouble = !isDouble) {
    const digit = digitAt(digits, at) * (isDouble ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/** ISO 7064 mod 97-10: the country and check digits go to the end, capital letters count from ten. */
export function passesIban(iban: string): boolean {
  let rest = 0
  for (let at = 0; at < iban.length; at += 1) {
    const code = iban.charCodeAt((at + 4) % iban.length)
    const value = code > 57 ? code - 55 : code - ZERO
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

/** The sum of digits times weights. */
export function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * digitAt(digits, at), 0)
}

/** ISO 7064 mod 11-10: the German tax number. */
export function passesMod11And10(digits: string): boolean {
  let product = 10
  for (let at = 0; at < digits.length - 1; at += 1) {
    const sum = (digitAt(digits, at) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1)
}

const TIMES = [
  '0123456789',
  '1234067895',
  '2340178956',
  '3401289567',
  '4012395678',
  '5987604321',
  '6598710432',
  '7659821043',
  '8765932104',
  '9876543210',
]
const TURNS = [
  '0123456789',
  '1576283094',
  '5803796142',
  '8916043527',
  '9453126870',
  '4286573901',
  '2793806415',
  '7046913258',
]

/** Verhoeff: the Indian Aadhaar number. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0
  for (let place = 0; place < digits.length; place += 1) {
    const turned = digitAt(TURNS[place % 8] ?? '', digitAt(digits, digits.length - 1 - place))
    check = digitAt(TIMES[check] ?? '', turned)
  }
  return check === 0
}

const CRC_TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = (value & 1) === 1 ? (value >>> 1) ^ 0xedb88320 : value >>> 1
  return value
})

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** CRC-32 of an ASCII text in base 62, six characters long: how GitHub and npm end their tokens. */
export function crc62(text: string): string {
  let crc = 0xffffffff
  for (let at = 0; at < text.length; at += 1) {
    crc = (CRC_TABLE[(crc ^ text.charCodeAt(at)) & 0xff] ?? 0) ^ (crc >>> 8)
  }
  let value = ~crc >>> 0
  let written = ''
  while (value > 0) {
    written = `${BASE62[value % 62] ?? ''}${written}`
    value = Math.floor(value / 62)
  }
  return written.padStart(6, '0')
}
