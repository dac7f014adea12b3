import { expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import { isNamed } from './list-definitions.ts'

it.each<[string, boolean]>([
  ['{"name":"find"}', true],
  ['{"name":""}', false],
  ['{"name":7}', false],
  ['{"name":12345678901234567890}', false],
  ['[]', false],
])('%s has a name: %s', (text, expected) => {
  const parsed = parseJson(text, 10)
  expect(parsed.ok && isNamed(parsed.value)).toBe(expected)
})
