import { expect, it } from 'vitest'
import { hasTooManyNames } from './read-server-json.ts'

const named = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"k\\"${at}" \n: "${at}"`).join(',')}}`

it('counts different names', () => {
  expect(hasTooManyNames(named(100), 100)).toBe(false)
  expect(hasTooManyNames(named(101), 100)).toBe(true)
})

it('counts neither values nor repeated names', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => ({ id: `a${at}`, name: `"${at}":1` }))
  expect(hasTooManyNames(JSON.stringify(rows), 2)).toBe(false)
  expect(hasTooManyNames(JSON.stringify(rows), 1)).toBe(true)
})

it('terminates on truncated text', () => {
  for (const text of ['"', '"a', '"a\\', '{"a":"b'.repeat(9)])
    expect(hasTooManyNames(text, 0)).toBeTypeOf('boolean')
})
