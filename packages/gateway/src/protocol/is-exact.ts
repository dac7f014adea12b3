/** Anything shorter has at most fifteen figures. */
const SHORTEST_LONG = 16
/** So many figures every double keeps, whichever they are. */
const SAFE_FIGURES = 15
/** No double has more when it is written. */
const MOST_FIGURES = 17
/** Longer ones are looked at more closely. */
const LONGEST_WRITTEN = 40
/** Longer ones are not looked at more closely: nobody writes an ordinary number like that. */
const LONGEST_EXACT = 400
/** Below this, and above nothing, doubles have fewer figures the smaller they are. */
const SMALLEST_NORMAL = 2.2250738585072014e-308
/** Five to a greater power is odd, and has more bits than a double. */
const MOST_TENS = 22

/** Whether a double keeps what stands there, as one can tell without reading it: few figures, and no great power. */
export function isShortNumber(text: string, start: number, end: number): boolean {
  if (end - start >= SHORTEST_LONG) return false
  for (let at = start + 1; at < end; at++) {
    if (!isE(text.charCodeAt(at))) continue
    const sign = text.charCodeAt(at + 1)
    return end - at - 1 - (sign === PLUS || sign === MINUS ? 1 : 0) <= FEW_DIGITS
  }
  return true
}

/** Of a power that keeps so few figures within the range of a double. */
const FEW_DIGITS = 2

/** How many figures count, from the first that is not nought to the last; that they are too many is all that is told of more. */
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
 * Whether one look tells that a double is the number. Short ones are, unless their exponent takes them out of its range or
 * to where it has few figures; of long ones those that are written as a double writes itself, as most programs do.
 */
export function isPlainlyExact(digits: string, figures: number): boolean {
  if (digits.length > LONGEST_WRITTEN || figures > MOST_FIGURES) return false
  const value = Number(digits)
  const size = Math.abs(value)
  if (digits.length < SHORTEST_LONG)
    return size >= SMALLEST_NORMAL ? Number.isFinite(value) : value === 0 && figures === 0
  // A whole number that is written like a double may still be another.
  if (size > Number.MAX_SAFE_INTEGER) return false
  return String(value) === digits || isWrittenElsewhere(digits, value, figures)
}

/** As other programs write doubles: `1.2345678901234567e-05`, `0.250000000000000000`. */
function isWrittenElsewhere(digits: string, value: number, figures: number): boolean {
  const power = findPower(digits)
  if (power < 0)
    return digits.includes('.') && (figures <= SAFE_FIGURES || String(value) === digits.replace(TRAILING, ''))
  // Where these figures are the same, so is the power: it is the same value.
  const written = value.toExponential()
  return digits.slice(0, power) === written.slice(0, findPower(written))
}

const TRAILING = /\.?0{1,40}$/

/** Where the power of ten begins; -1 where there is none. */
function findPower(digits: string): number {
  let at = digits.length - 1
  while (at >= 0 && !isE(digits.charCodeAt(at))) at -= 1
  return at
}

/** Whether a double is the number, however long it is written: `5.000…0` is 5, and everybody takes it for that. */
export function isExact(digits: string, figures: number): boolean {
  if (digits.length > LONGEST_EXACT || figures > MOST_FIGURES) return false
  const value = Number(digits)
  if (!Number.isFinite(value)) return false
  const written = normalise(digits)
  if (written !== normalise(String(value))) return false
  // A double may be written like a whole number that it is not.
  return !Number.isInteger(value) || Number.isSafeInteger(value) || isWhole(written, value)
}

function isWhole(written: string, value: number): boolean {
  const tens = Number(written.slice(findPower(written) + 1))
  // Of one with hundreds of digits, writing them all takes longer than everything else.
  return tens <= MOST_TENS && written === normalise(String(BigInt(value)))
}

/** The figures that count, and the power of ten of the last one. */
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
