import { hkdfSync } from 'node:crypto'
import { foldLookAlikes } from '@hintgate/metadata'

/** Two primes below 2^26, so that a double holds the product of two remainders exactly. */
const P1 = 67_108_859
const P2 = 67_108_837
const PER_P1 = 1 / P1
const PER_P2 = 1 / P2

/** Flags of a token, as bits. These three describe its position in the text. */
export const STARTS_WORD = 1
export const ENDS_WORD = 2
export const QUOTED = 4
/** The token follows a word such as "id" or "number". */
export const NUMBERED = 8

/**
 * The tokens of a text. A token is a run of letters and digits. It is stored as a hash in two parts, a length and
 * flags.
 */
export interface Tokens {
  readonly count: number
  readonly first: Uint32Array
  readonly second: Uint32Array
  readonly length: Uint8Array
  readonly flags: Uint8Array
}

export interface Hash {
  readonly first: number
  readonly second: number
  readonly length: number
}

const QUOTES = new Set(Array.from('\'"`‘’“”«»', sign => sign.charCodeAt(0)))
const LETTER_OR_DIGIT = /[\p{L}\p{N}]/u
const NAMES_A_NUMBER = /(?:\bid|\bnumber|\bno|#|\bnr)[^\p{L}\p{N}]{0,3}$/u

/**
 * Hashes the words of a text, so that values can be found later although the text is not kept. The hash of adjacent
 * tokens can be computed from the hashes of the tokens (Karp and Rabin), so `US13 3000` equals `US133000`. Without the
 * key, the hashes do not reveal the words.
 */
export class TokenHasher {
  readonly #base1: number
  readonly #base2: number
  readonly #powers1: number[] = [1]
  readonly #powers2: number[] = [1]

  constructor(secret: Buffer) {
    const key = Buffer.from(hkdfSync('sha256', secret, '', 'hintgate provenance', 8))
    this.#base1 = 1_000_003 + (key.readUInt32LE(0) % 60_000_000)
    this.#base2 = 1_000_003 + (key.readUInt32LE(4) % 60_000_000)
  }

  /** Splits a text into tokens and hashes them. Case is ignored, and look-alike letters count as the same letter. */
  tokens(text: string): Tokens {
    const folded = spellOut(foldLookAlikes(text))
    const first: number[] = []
    const second: number[] = []
    const lengths: number[] = []
    const flags: number[] = []
    for (let at = 0; at < folded.length; ) {
      const end = endOfToken(folded, at)
      if (end === at) {
        at += 1
        continue
      }
      const hash = this.#hash(folded, at, end)
      first.push(hash.first)
      second.push(hash.second)
      lengths.push(Math.min(255, end - at))
      flags.push(flagsOf(folded, at, end))
      at = end
    }
    return {
      count: first.length,
      first: Uint32Array.from(first),
      second: Uint32Array.from(second),
      length: Uint8Array.from(lengths),
      flags: Uint8Array.from(flags),
    }
  }

  /** Returns one hash of all letters and digits in a value. Other characters are ignored. */
  compact(value: string): Hash {
    const folded = spellOut(foldLookAlikes(value))
    let hash: Hash = { first: 0, second: 0, length: 0 }
    for (let at = 0; at < folded.length; ) {
      const end = endOfToken(folded, at)
      if (end === at) at += 1
      else {
        hash = this.join(hash, this.#hash(folded, at, end))
        at = end
      }
    }
    return hash
  }

  /**
   * Returns the first parts of the hashes of a value's beginnings: `[n]` belongs to the first `n` letters and digits.
   */
  beginnings(value: string): readonly number[] {
    const letters = Array.from(this.#runs(value)).join('')
    const hashes = [0]
    let first = 0
    for (let at = 0; at < letters.length; at += 1) {
      first = remainder(first * this.#base1 + letters.charCodeAt(at) + 1, P1, PER_P1)
      hashes.push(first)
    }
    return hashes
  }

  /**
   * Returns the hashes of both parts of a value, for every place where it can be cut. In `[at]`, the first part has the
   * length `at`.
   */
  halves(value: string): readonly (readonly [Hash, Hash])[] {
    const letters = Array.from(this.#runs(value)).join('')
    const whole = this.#hash(letters, 0, letters.length)
    return Array.from({ length: whole.length + 1 }, (_, at) => {
      const start = this.#hash(letters, 0, at)
      return [start, this.#without(start, whole)] as const
    })
  }

  /** Returns the hash of the part of `whole` that follows `start`. */
  #without(start: Hash, whole: Hash): Hash {
    const length = whole.length - start.length
    const [power1, power2] = this.#power(length)
    return {
      first: (whole.first - ((start.first * power1) % P1) + P1) % P1,
      second: (whole.second - ((start.second * power2) % P2) + P2) % P2,
      length,
    }
  }

  *#runs(value: string): Generator<string> {
    const folded = spellOut(foldLookAlikes(value))
    for (let at = 0; at < folded.length; ) {
      const end = endOfToken(folded, at)
      if (end > at) yield folded.slice(at, end)
      at = Math.max(end, at + 1)
    }
  }

  join(before: Hash, after: Hash): Hash {
    const [power1, power2] = this.#power(after.length)
    return {
      first: (((before.first * power1) % P1) + after.first) % P1,
      second: (((before.second * power2) % P2) + after.second) % P2,
      length: before.length + after.length,
    }
  }

  #hash(text: string, start: number, end: number): Hash {
    let first = 0
    let second = 0
    for (let at = start; at < end; at += 1) {
      const code = text.charCodeAt(at) + 1
      first = remainder(first * this.#base1 + code, P1, PER_P1)
      second = remainder(second * this.#base2 + code, P2, PER_P2)
    }
    return { first, second, length: end - start }
  }

  #power(exponent: number): readonly [number, number] {
    for (let known = this.#powers1.length; known <= exponent; known += 1) {
      this.#powers1.push(((this.#powers1[known - 1] ?? 1) * this.#base1) % P1)
      this.#powers2.push(((this.#powers2[known - 1] ?? 1) * this.#base2) % P2)
    }
    return [this.#powers1[exponent] ?? 1, this.#powers2[exponent] ?? 1]
  }
}

/** Computes a remainder faster than `%`. Numbers of this size are exact, so the quotient is wrong by one at most. */
function remainder(value: number, prime: number, perPrime: number): number {
  const rest = value - Math.floor(value * perPrime) * prime
  if (rest < 0) return rest + prime
  return rest < prime ? rest : rest - prime
}

/**
 * Replaces a spelled-out `at` or `dot` by the sign, because people write `mark (at) example dot com` to hide addresses
 * from machines.
 */
function spellOut(text: string): string {
  if (!/\b(?:at|dot)\b/.test(text)) return text
  return text
    .replace(/\s*[[({<]\s*(?:at|dot)\s*[\])}>]\s*/g, '.')
    .replace(/(\w)\s+at\s+(\w+)\s+dot\s+(?=\w)/g, '$1.$2.')
    .replace(/(\w)\s+dot\s+(?=\w)/g, '$1.')
}

/** Returns the end of a run of letters and digits. A run never mixes East Asian characters with others. */
function endOfToken(text: string, start: number): number {
  let at = start
  const isLatin = text.charCodeAt(start) < 0x2e80
  while (at < text.length) {
    const code = text.charCodeAt(at)
    const isPart = code < 128 ? isAsciiPart(code) : LETTER_OR_DIGIT.test(text.charAt(at))
    if (!isPart || code < 0x2e80 !== isLatin) return at
    at += 1
  }
  return at
}

function isAsciiPart(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || (code >= 65 && code <= 90)
}

function flagsOf(text: string, start: number, end: number): number {
  const before = start === 0 ? 32 : text.charCodeAt(start - 1)
  const after = end === text.length ? 32 : text.charCodeAt(end)
  const quoted = QUOTES.has(before) && (QUOTES.has(after) || after === 46 || after === 44)
  return (
    (joins(before) ? 0 : STARTS_WORD) |
    (joins(after) && LETTER_OR_DIGIT.test(text.charAt(end + 1)) ? 0 : ENDS_WORD) |
    (QUOTES.has(before) || quoted ? QUOTED : 0) |
    (end - start <= 8 && NAMES_A_NUMBER.test(text.slice(Math.max(0, start - 12), start)) ? NUMBERED : 0)
  )
}

/** Whether a character can join the parts of a word: `.`, `-`, `_`, `@`, `/`, `+`, `%`, `=`, `&` or `~`. */
function joins(code: number): boolean {
  return (
    code === 46 ||
    code === 45 ||
    code === 95 ||
    code === 64 ||
    code === 47 ||
    code === 43 ||
    code === 37 ||
    code === 61 ||
    code === 38 ||
    code === 126
  )
}
