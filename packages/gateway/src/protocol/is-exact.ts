/** A text shorter than this cannot have more than fifteen digits. */
const SHORTEST_LONG = 16
/** A double preserves any number with up to this many significant digits. */
const SAFE_FIGURES = 15
/** The shortest text that identifies a double has at most this many digits. */
const MOST_FIGURES = 17
/** Numbers up to this length can be recognised by a quick check. Longer ones need the full check. */
const LONGEST_WRITTEN = 40
/** Numbers longer than this count as inexact without a check. */
const LONGEST_EXACT = 400
/** The smallest double with full precision. Smaller ones (subnormals) have less. */
const SMALLEST_NORMAL = 2.2250738585072014e-308
/** The largest power of ten that a double can represent exactly. */
const MOST_TENS = 22

/** Whether a double obviously preserves a number, because it has few digits and a small exponent. */
export function isShortNumber(text: string, start: number, end: number): boolean {
  if (end - start >= SHORTEST_LONG) return false
  for (let at = start + 1; at < end; at++) {
    if (!isE(text.charCodeAt(at))) continue
    const sign = text.charCodeAt(at + 1)
    return end - at - 1 - (sign === PLUS || sign === MINUS ? 1 : 0) <= FEW_DIGITS
  }
  return true
}

/** If the exponent has at most this many digits, a short number is within the range of a double. */
const FEW_DIGITS = 2

/** Returns the number of significant digits. Counting stops once there are too many. */
export function countFigures(digits: string): number {
  let seen = 0
  let figures = 0
  for (let at = 0; at < digits.length && figures <= MOST_FIGURES; at++) {
    const code = digits.charCodeAt(at)
    if (isE(code)) break
    const isFigure = code > ZERO && code <= NINE
    if (isFigure || (code === ZERO && seen > 0)) seen += 1
    if (isFigure) figures = seen
  }
  return figures
}

/**
 * A quick check whether a double equals a number. Short numbers are equal, unless their exponent makes them overflow or
 * subnormal. Long numbers are equal if they are written in the shortest form that identifies the double, as most
 * programs do.
 */
export function isPlainlyExact(digits: string, figures: number): boolean {
  if (digits.length > LONGEST_WRITTEN || figures > MOST_FIGURES) return false
  const value = Number(digits)
  const size = Math.abs(value)
  if (digits.length < SHORTEST_LONG)
    return size >= SMALLEST_NORMAL ? Number.isFinite(value) : value === 0 && figures === 0
  // A large integer can be written in the shortest form that identifies a double, and still be a different number.
  if (size > Number.MAX_SAFE_INTEGER) return false
  return String(value) === digits || isWrittenElsewhere(digits, value, figures)
}

/**
 * Whether a number is written in another form that programs use for doubles, such as `1.2345678901234567e-05` or
 * `0.250000000000000000`.
 */
function isWrittenElsewhere(digits: string, value: number, figures: number): boolean {
  const power = findPower(digits)
  if (power < 0)
    return digits.includes('.') && (figures <= SAFE_FIGURES || String(value) === digits.replace(TRAILING, ''))
  // It is enough to compare the digits: if they are the same, so is the exponent, because the value is the same.
  const written = value.toExponential()
  return digits.slice(0, power) === written.slice(0, findPower(written))
}

const TRAILING = /\.?0{1,40}$/

/** Returns the offset of the exponent, or -1 if there is none. */
function findPower(digits: string): number {
  let at = digits.length - 1
  while (at >= 0 && !isE(digits.charCodeAt(at))) at -= 1
  return at
}

/** Whether a double equals a number in any notation: `5.000…0` equals 5. */
export function isExact(digits: string, figures: number): boolean {
  if (digits.length > LONGEST_EXACT || figures > MOST_FIGURES) return false
  const value = Number(digits)
  if (!Number.isFinite(value)) return false
  const written = normalise(digits)
  if (written !== normalise(String(value))) return false
  // The same digits are not enough for a large integer: a double can be written like an integer that it does not equal.
  return !Number.isInteger(value) || Number.isSafeInteger(value) || isWhole(written, value)
}

function isWhole(written: string, value: number): boolean {
  const tens = Number(written.slice(findPower(written) + 1))
  // The power of ten is limited, because writing out an integer with hundreds of digits would take longer than
  // everything else.
  return tens <= MOST_TENS && written === normalise(String(BigInt(value)))
}

/** Returns the significant digits of a number, and the power of ten of the last digit. */
export function normalise(digits: string): string {
  const [mantissa = '', exponent = '0'] = digits.split(/[eE]/)
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const figures = whole + fraction
  let start = 0
  while (figures[start] === '0') start += 1
  let end = figures.length
  while (end > start && figures[end - 1] === '0') end -= 1
  if (start === end) return '0'
  const power = Number(exponent) - fraction.length + (figures.length - end)
  return `${mantissa.startsWith('-') ? '-' : ''}${figures.slice(start, end)}e${power}`
}

function isE(code: number): boolean {
  return code === SMALL_E || code === BIG_E
}

const PLUS = 43
const MINUS = 45
const ZERO = 48
const NINE = 57
const BIG_E = 69
const SMALL_E = 101
