import { crc32 } from 'node:zlib'

/** Checksums of number formats. Digits are passed as strings. */

const ZERO = 48

function digitAt(digits: string, at: number): number {
  return digits.charCodeAt(at) - ZERO
}

/** The Luhn check of cards and of Swedish and Canadian numbers: every second digit from the right counts double. */
export function passesLuhn(digits: string): boolean {
  let sum = 0
  for (let at = digits.length - 1, isDouble = false; at >= 0; at -= 1, isDouble = !isDouble) {
    const digit = digitAt(digits, at) * (isDouble ? 2 : 1)
    sum += digit > 9 ? digit - 9 : digit
  }
  return sum % 10 === 0
}

/**
 * The check of IBANs, ISO 7064 mod 97-10: the country and the check digits move to the end, and letters count from ten.
 */
export function passesIban(iban: string): boolean {
  let rest = 0
  for (let at = 0; at < iban.length; at += 1) {
    const code = iban.charCodeAt((at + 4) % iban.length)
    const value = code > 57 ? code - 55 : code - ZERO
    rest = (rest * (value > 9 ? 100 : 10) + value) % 97
  }
  return rest === 1
}

export function weigh(digits: string, weights: readonly number[]): number {
  return weights.reduce((sum, weight, at) => sum + weight * digitAt(digits, at), 0)
}

/** The check of the German tax number, ISO 7064 mod 11-10. */
export function passesMod11And10(digits: string): boolean {
  let product = 10
  for (let at = 0; at < digits.length - 1; at += 1) {
    const sum = (digitAt(digits, at) + product) % 10
    product = ((sum === 0 ? 10 : sum) * 2) % 11
  }
  return (11 - product) % 10 === digitAt(digits, digits.length - 1)
}

/** Multiplies two symmetries of a pentagon: 0 to 4 are turns, 5 to 9 are turns of the mirror image. */
function multiply(a: number, b: number): number {
  const turned = a < 5 ? (a + b) % 5 : (10 + a - b) % 5
  return a < 5 === b < 5 ? turned : turned + 5
}

/** The permutation of digits that is applied once more at each position. After eight positions, it repeats. */
const TURNED = '1576283094'

/** The Verhoeff check of the Indian Aadhaar number. */
export function passesVerhoeff(digits: string): boolean {
  let check = 0
  for (let place = 0; place < digits.length; place += 1) {
    let digit = digitAt(digits, digits.length - 1 - place)
    for (let turn = 0; turn < place % 8; turn += 1) digit = digitAt(TURNED, digit)
    check = multiply(check, digit)
  }
  return check === 0
}

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Returns the CRC-32 of an ASCII string as six base-62 characters. GitHub and npm tokens end with it. */
export function crc62(text: string): string {
  let value = crc32(text)
  let written = ''
  while (value > 0) {
    written = `${BASE62[value % 62] ?? ''}${written}`
    value = Math.floor(value / 62)
  }
  return written.padStart(6, '0')
}
