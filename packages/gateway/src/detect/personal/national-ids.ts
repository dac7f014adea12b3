import { passesLuhn, passesMod11And10, passesVerhoeff, weigh } from '../text/checksums.ts'
import { readTable } from '../text/read-table.ts'
import rows from './national-ids.json' with { type: 'json' }

export interface NationalId {
  readonly id: string
  /** Matches the id. All repetitions are bounded and none is nested, so that matching takes linear time. */
  readonly pattern: RegExp
  /** The numbers of digits that an id can start with. Only text with such a start is matched against the pattern. */
  readonly digits: readonly number[]
  /** The numbers of capital letters that an id can start with. */
  readonly letters: readonly number[]
  /** Checks an id. `plain` has only its digits and letters, in upper case. */
  readonly judge: (plain: string) => boolean
  /** Words that must precede an id whose shape alone is ambiguous. */
  readonly cue: RegExp | undefined
  readonly confidence: number
}

const ROWS = readTable('national-ids.json', rows, {
  id: 'text',
  pattern: 'pattern',
  digits: 'numbers?',
  letters: 'numbers?',
  cue: 'pattern?',
  /** The weights of the digits. Their weighted sum must be a multiple of the modulus. */
  weights: 'numbers?',
  modulus: 'number?',
  /** The offset of the month and day of birth. A negative offset counts from the end. */
  birthday: 'number?',
  /** The name of one of `CHECKS`. */
  check: 'text?',
  confidence: 'number',
})

type Row = (typeof ROWS)[number]

const CHECKS: Readonly<Record<string, (plain: string) => boolean>> = {
  // Only the last ten digits count, because the century of a Swedish number is not part of the checksum.
  luhn: plain => passesLuhn(plain.slice(-10)),
  verhoeff: passesVerhoeff,
  'mod-11-10': passesMod11And10,
  dni: plain => {
    const number = plain.slice(0, -1).replace(/^[XYZ]/, first => String('XYZ'.indexOf(first)))
    return 'TRWAGMYFPDXBNJZSQVHLCKE'[Number(number) % 23] === plain.at(-1)
  },
  hetu: plain => {
    const digits = plain.slice(0, 6) + plain.slice(-4, -1)
    return '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(digits) % 31] === plain.at(-1)
  },
  insee: plain => {
    const number = Number(plain.slice(0, 13).replace('2A', '19').replace('2B', '18'))
    return 97 - (number % 97) === Number(plain.slice(13))
  },
  chinese: plain =>
    '10X98765432'[weigh(plain, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2]) % 11] === plain[17],
  cpf: plain => {
    const check = (weights: readonly number[]): number => ((weigh(plain, weights) * 10) % 11) % 10
    const nine = [10, 9, 8, 7, 6, 5, 4, 3, 2]
    const isRight = check(nine) === Number(plain[9]) && check([11, ...nine]) === Number(plain[10])
    return isRight && new Set(plain).size > 1
  },
  'codice-fiscale': plain => {
    const sum = Array.from(plain.slice(0, 15), (sign, at) => rankOf(sign, at % 2 === 0))
    return String.fromCharCode(65 + (sum.reduce((a, b) => a + b, 0) % 26)) === plain[15]
  },
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

/**
 * Returns the value of a character in an Italian codice fiscale, which depends on whether the character's position is
 * odd.
 */
function rankOf(sign: string, isOdd: boolean): number {
  const value = Number.parseInt(sign, 36)
  const rank = value > 9 ? value - 10 : value
  return isOdd ? (ODD[rank] ?? 0) : rank
}

export const NATIONAL_IDS: readonly NationalId[] = ROWS.map(toNationalId)

function toNationalId(row: Row): NationalId {
  const { id, digits = [], letters = [], cue, confidence } = row
  // Unless the pattern says otherwise, a number must not be inside a word or a longer number.
  const source = row.pattern.startsWith('(?<!') ? row.pattern : `(?<![\\w.-])${row.pattern}(?![\\w]|[.-]\\d)`
  const pattern = new RegExp(source, 'g')
  return {
    id,
    digits,
    letters,
    pattern,
    judge: judgeOf(row),
    cue: cue === undefined ? undefined : new RegExp(cue, 'i'),
    confidence,
  }
}

function judgeOf({ id, weights = [], modulus = 1, birthday, check }: Row): NationalId['judge'] {
  const passes = check === undefined ? () => true : CHECKS[check]
  if (passes === undefined) throw new Error(`national-ids.json: ${id}: unknown check "${check}"`)
  return plain =>
    passes(plain) &&
    weigh(plain, weights) % modulus === 0 &&
    (birthday === undefined || isMonthAndDay(plain.slice(birthday, birthday + 4)))
}

function isMonthAndDay(digits: string): boolean {
  const month = Number(digits.slice(0, 2))
  const day = Number(digits.slice(2, 4))
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}
