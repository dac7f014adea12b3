import fc from 'fast-check'
import { expect, it } from 'vitest'
import { parseJson, writeJson } from '../../protocol/parse-json.ts'
import { anyResult } from '../test-support/arbitrary-result.ts'
import { measureJson } from './measure-json.ts'

it('returns the length as JSON, or infinity when it is too long', () => {
  fc.assert(
    fc.property(anyResult, fc.nat(5000), (value, max) => {
      const written = writeJson(value).length
      expect(measureJson(value, max)).toBe(written <= max ? written : Number.POSITIVE_INFINITY)
    }),
  )
})

it('counts the digits of long numbers', () => {
  const parsed = parseJson('[12345678901234567890]', 10)
  expect(parsed.ok && measureJson(parsed.value, 22)).toBe(22)
  expect(parsed.ok && measureJson(parsed.value, 21)).toBe(Number.POSITIVE_INFINITY)
})
