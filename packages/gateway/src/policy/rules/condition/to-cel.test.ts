import { expect, it } from 'vitest'
import { parseJson } from '../../../protocol/parse-json.ts'
import { Meter } from './meter.ts'
import { toCel } from './to-cel.ts'

it.each<[string, unknown]>([
  ['5', 5n],
  ['5.5', 5.5],
  ['9007199254740993', 9007199254740993n],
  ['-9223372036854775807', -9223372036854775807n],
  ['5.00000000000000000000', 5n],
  // As a double, this number is 5, so rules about integers must apply to it.
  ['5.00000000000000000001', 5n],
  ['1e400', Number.POSITIVE_INFINITY],
])('converts %s to the value that servers read', (text, expected) => {
  const parsed = parseJson(`[${text}]`, 10)
  expect(toCel(parsed.ok ? parsed.value : undefined, new Meter())).toEqual([expected])
})
