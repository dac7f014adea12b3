import { passesLuhn, passesMod11And10, passesVerhoeff, weigh } from '../text/checksums.ts'

/** A number that a state gives a person. */
export interface NationalId {
  readonly id: string
  /** Bounded, and nothing in it repeats a repetition. */
  readonly pattern: RegExp
  /** How many digits it begins with, up to the first that is none; others are not compared with the pattern. */
  readonly digits?: readonly number[]
  /** The same for capital letters. */
  readonly letters?: readonly number[]
  /** The digits and letters alone, in upper case. */
  readonly judge?: (plain: string) => boolean
  /** Words that must stand before it, where its shape alone could be any number. */
  readonly cue?: RegExp
  readonly confidence: number
}

const NUMBERS = (length: number): RegExp => new RegExp(`(?<![\\w.-])\\d{${length}}(?![\\w]|[.-]\\d)`, 'g')
const SPACED = (source: string): RegExp => new RegExp(`(?<![\\w.-])${source}(?![\\w]|[.-]\\d)`, 'g')

const DNI_LETTERS = 'TRWAGMYFPDXBNJZSQVHLCKE'

function isDni(plain: string): boolean {
  const number = plain.slice(0, -1).replace(/^[XYZ]/, first => String('XYZ'.indexOf(first)))
  return DNI_LETTERS[Number(number) % 23] === plain.at(-1)
}

function isCpf(plain: string): boolean {
  if (new Set(plain).size === 1) return false
  const check = (count: number): number => {
    const weights = Array.from({ length: count }, (_, at) => count + 1 - at)
    return ((weigh(plain, weights) * 10) % 11) % 10
  }
  return check(9) === Number(plain[9]) && check(10) === Number(plain[10])
}

function isChineseId(plain: string): boolean {
  const sum = weigh(plain, [7, 9, 10, 5, 8, 4, 2, 1, 6, 3, 7, 9, 10, 5, 8, 4, 2])
  return '10X98765432'[sum % 11] === plain[17] && isMonthAndDay(plain.slice(10, 14))
}

function isMonthAndDay(digits: string): boolean {
  const month = Number(digits.slice(0, 2))
  const day = Number(digits.slice(2, 4))
  return month >= 1 && month <= 12 && day >= 1 && day <= 31
}

const ODD = [1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23]

function isCodiceFiscale(plain: string): boolean {
  let sum = 0
  for (let at = 0; at < 15; at += 1) {
    const value = Number.parseInt(plain[at] ?? '', 36)
    const rank = value > 9 ? value - 10 : value
    sum += at % 2 === 0 ? (ODD[rank] ?? 0) : rank
  }
  return String.fromCharCode(65 + (sum % 26)) === plain[15]
}

/** `849-66-3189`; three numbers were never given out. */
const SSN = SPACED('(?!000|666|9\\d\\d)\\d{3}([- ])(?!00)\\d{2}\\1(?!0000)\\d{4}')

const UP_TO_20 = Array.from({ length: 20 }, (_, at) => at + 1)

export const NATIONAL_IDS: readonly NationalId[] = [
  { id: 'us-ssn', digits: [3], pattern: SSN, confidence: 0.85 },
  {
    id: 'us-ssn',
    digits: [9],
    pattern: NUMBERS(9),
    cue: /\bssn\b|social security/i,
    judge: plain => !/^(?:000|666|9)/.test(plain),
    confidence: 0.8,
  },
  {
    id: 'us-itin',
    digits: [3],
    pattern: SPACED('9\\d{2}[- ](?:5\\d|6[0-5]|[78]\\d|9[0-24-9])[- ]\\d{4}'),
    confidence: 0.8,
  },
  {
    id: 'driver-licence',
    digits: UP_TO_20,
    letters: UP_TO_20,
    pattern: /(?<![\w-])(?=[A-Z0-9-]{0,6}\d{4})[A-Z0-9]{1,3}[A-Z0-9-]{5,17}(?![\w-])/g,
    cue: /driv(?:er|ing)\S{0,3} licen[cs]e|licen[cs]e (?:no|number|id)|f[üu]hrerschein|permis de conduire/i,
    confidence: 0.75,
  },
  {
    id: 'passport',
    digits: [6, 7, 8, 9],
    letters: [1, 2, 3],
    pattern: /(?<![\w-])[A-Z]{0,3}\d{6,9}[A-Z]?(?![\w-])/g,
    cue: /passport|reisepass|passeport|pasaporte/i,
    confidence: 0.75,
  },
  {
    id: 'uk-nino',
    letters: [2],
    pattern:
      /(?<![A-Za-z0-9])(?!BG|GB|KN|NK|NT|TN|ZZ)[A-CEGHJ-PR-TW-Z][A-CEGHJ-NPR-TW-Z](?: ?\d{2}){3} ?[A-D](?![A-Za-z0-9])/g,
    confidence: 0.8,
  },
  {
    id: 'uk-nhs',
    digits: [3, 6, 10],
    pattern: SPACED('\\d{3}[ -]?\\d{3}[ -]?\\d{4}'),
    cue: /\bnhs\b/i,
    judge: plain => (11 - (weigh(plain, [10, 9, 8, 7, 6, 5, 4, 3, 2]) % 11)) % 11 === Number(plain[9]),
    confidence: 0.85,
  },
  {
    id: 'es-dni',
    digits: [8],
    letters: [1],
    pattern: SPACED('(?:\\d{8}|[XYZ]-?\\d{7})-?[A-HJ-NP-TV-Z]'),
    judge: isDni,
    confidence: 0.9,
  },
  {
    id: 'it-codice-fiscale',
    letters: [6],
    pattern: SPACED('[A-Z]{6}\\d{2}[A-EHLMPRST]\\d{2}[A-Z]\\d{3}[A-Z]'),
    judge: isCodiceFiscale,
    confidence: 0.95,
  },
  {
    id: 'fr-insee',
    digits: [1, 3, 5, 6, 7, 10, 13, 15],
    pattern: SPACED('[12] ?\\d{2} ?(?:0[1-9]|1[0-2]|[2-9]\\d) ?(?:\\d{2}|2[AB]) ?\\d{3} ?\\d{3} ?\\d{2}'),
    judge: plain => {
      const number = Number(plain.slice(0, 13).replace('2A', '19').replace('2B', '18'))
      return 97 - (number % 97) === Number(plain.slice(13))
    },
    confidence: 0.95,
  },
  {
    id: 'de-tax-id',
    digits: [2, 5, 8, 11],
    pattern: SPACED('[1-9]\\d ?\\d{3} ?\\d{3} ?\\d{3}'),
    cue: /steuer|\bidnr|tax (?:id|number)/i,
    judge: passesMod11And10,
    confidence: 0.85,
  },
  {
    id: 'nl-bsn',
    digits: [9],
    pattern: NUMBERS(9),
    cue: /\bbsn\b|burgerservice|sofi/i,
    judge: plain => (weigh(plain, [9, 8, 7, 6, 5, 4, 3, 2]) - Number(plain[8])) % 11 === 0,
    confidence: 0.85,
  },
  {
    id: 'pl-pesel',
    digits: [11],
    pattern: NUMBERS(11),
    cue: /pesel/i,
    judge: plain => weigh(plain, [1, 3, 7, 9, 1, 3, 7, 9, 1, 3, 1]) % 10 === 0,
    confidence: 0.9,
  },
  {
    id: 'se-personnummer',
    digits: [6, 8],
    pattern: SPACED('(?:19|20)?\\d{6}[-+]\\d{4}'),
    judge: plain => isMonthAndDay(plain.slice(-8, -4)) && passesLuhn(plain.slice(-10)),
    confidence: 0.8,
  },
  {
    id: 'fi-hetu',
    digits: [6],
    pattern: SPACED('\\d{6}[-+A-F]\\d{3}[0-9A-FHJ-NPR-Y]'),
    judge: plain => {
      const digits = plain.slice(0, 6) + plain.slice(-4, -1)
      return '0123456789ABCDEFHJKLMNPRSTUVWXY'[Number(digits) % 31] === plain.at(-1)
    },
    confidence: 0.9,
  },
  {
    id: 'br-cpf',
    digits: [3],
    pattern: SPACED('\\d{3}\\.\\d{3}\\.\\d{3}-\\d{2}'),
    judge: isCpf,
    confidence: 0.95,
  },
  { id: 'br-cpf', digits: [11], pattern: NUMBERS(11), cue: /\bcpf\b/i, judge: isCpf, confidence: 0.9 },
  {
    id: 'in-aadhaar',
    digits: [4],
    pattern: SPACED('[2-9]\\d{3}[ -]\\d{4}[ -]\\d{4}'),
    judge: passesVerhoeff,
    confidence: 0.8,
  },
  {
    id: 'in-aadhaar',
    digits: [12],
    pattern: NUMBERS(12),
    cue: /aadhaar|uidai/i,
    judge: passesVerhoeff,
    confidence: 0.9,
  },
  {
    id: 'in-pan',
    letters: [5],
    pattern: SPACED('[A-Z]{3}[ABCFGHLJPT][A-Z]\\d{4}[A-Z]'),
    cue: /\bpan\b/i,
    confidence: 0.8,
  },
  {
    id: 'cn-id',
    digits: [17, 18],
    pattern: SPACED('[1-9]\\d{16}[\\dX]'),
    judge: isChineseId,
    confidence: 0.9,
  },
  {
    id: 'ca-sin',
    digits: [3, 6, 9],
    pattern: SPACED('\\d{3}[ -]?\\d{3}[ -]?\\d{3}'),
    cue: /\bsin\b|social insurance/i,
    judge: passesLuhn,
    confidence: 0.85,
  },
  {
    id: 'au-tfn',
    digits: [3, 6, 9],
    pattern: SPACED('\\d{3} ?\\d{3} ?\\d{3}'),
    cue: /\btfn\b|tax file/i,
    judge: plain => weigh(plain, [1, 4, 3, 7, 5, 8, 6, 9, 10]) % 11 === 0,
    confidence: 0.85,
  },
  {
    id: 'kr-rrn',
    digits: [6],
    pattern: SPACED('\\d{6}-[1-8]\\d{6}'),
    judge: plain => isMonthAndDay(plain.slice(2, 6)),
    confidence: 0.8,
  },
]
