import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countFigures, isExact, isPlainlyExact, isShortNumber, normalise } from './is-exact.ts'

/** A reference implementation: a double equals a number if both have the same digits when written in full. */
function isSame(digits: string): boolean {
  const value = Number(digits)
  if (!Number.isFinite(value) || normalise(digits) !== normalise(String(value))) return false
  return !Number.isInteger(value) || normalise(digits) === normalise(String(BigInt(value)))
}

const noughts = fc.nat(25).map(count => '0'.repeat(count))
const figures = fc.stringMatching(/^\d{0,19}$/)
const whole = fc.oneof(
  fc.constant('0'),
  fc.tuple(fc.stringMatching(/^[1-9]\d{0,19}$/), noughts).map(parts => parts.join('')),
)
const fraction = fc.oneof(
  fc.constant(''),
  fc.tuple(noughts, figures, noughts).map(parts => parts.join('')),
)
const power = fc.oneof(fc.constant(''), fc.stringMatching(/^[eE][+-]?\d{1,3}$/))
const number = fc
  .tuple(fc.constantFrom('', '-'), whole, fraction, power)
  .map(([sign, before, behind, last]) => `${sign}${before}${behind === '' ? '' : `.${behind}`}${last}`)
/** Generates numbers in the forms in which programs write them. */
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true })
  .chain(value => fc.constantFrom(String(value), value.toExponential(), value.toPrecision(17)))

describe('isPlainlyExact() and isExact()', () => {
  it('accept only exact numbers in the quick check', () => {
    const check = (digits: string) => {
      const isTold = isShortNumber(digits, 0, digits.length) || isPlainlyExact(digits, countFigures(digits))
      // The check must be right for long numbers. A short number is exact if it is within the range of a double.
      if (isTold && digits.length >= 16) expect(isSame(digits), digits).toBe(true)
      if (isTold) expect(Number.isFinite(Number(digits)), digits).toBe(true)
      if (isTold && Number(digits) === 0) expect(normalise(digits)).toBe('0')
    }
    fc.assert(fc.property(fc.oneof(number, double), check), { numRuns: 5000 })
  })

  it('agree with the reference', () => {
    const check = (digits: string) => {
      expect(isExact(digits, countFigures(digits)), digits).toBe(isSame(digits))
    }
    fc.assert(fc.property(fc.oneof(number, double), check), { numRuns: 5000 })
  })

  it.each([
    ['1e22', true],
    ['10000000000000000000000', true],
    ['100000000000000000000000', false],
    ['9007199254740992e22', true],
    ['36028797018963968e10', false],
    ['1152921504606846976', false],
    ['12345678901234567e292', false],
    [`0.${'0'.repeat(300)}12345`, true],
    [`1${'0'.repeat(390)}`, false],
  ])('decide %s', (digits, expected) => {
    expect(isExact(digits, countFigures(digits))).toBe(expected)
  })

  it('accept numbers with few digits in the quick check', () => {
    for (const digits of ['12345', '-1.5e10', '1e-05', '1.25E+99', '123456789.12345'])
      expect(isShortNumber(digits, 0, digits.length), digits).toBe(true)
    for (const digits of ['1e999', '1e-320', '1e+100', '1234567890123456', '1e5e9999'])
      expect(isShortNumber(digits, 0, digits.length), digits).toBe(false)
  })
})

describe('countFigures()', () => {
  it.each([
    ['0.000', 0],
    ['-0.00120300e55', 4],
    ['1200', 2],
    ['10.01', 4],
    ['12345678901234567', 17],
  ])('of %s is %i', (digits, count) => {
    expect(countFigures(digits)).toBe(count)
  })
})
