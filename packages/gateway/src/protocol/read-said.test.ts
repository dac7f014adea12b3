import { expect, it } from 'vitest'
import { hasTooManyNames } from './read-said.ts'

const named = (count: number) =>
  `{${Array.from({ length: count }, (_, at) => `"k\\"${at}" \n: "${at}"`).join(',')}}`

it('counts the names that are different', () => {
  expect(hasTooManyNames(named(100), 100)).toBe(false)
  expect(hasTooManyNames(named(101), 100)).toBe(true)
})

it('counts neither values nor names that come again', () => {
  const rows = Array.from({ length: 1000 }, (_, at) => ({ id: `a${at}`, name: `"${at}":1` }))
  expect(hasTooManyNames(JSON.stringify(rows), 2)).toBe(false)
  expect(hasTooManyNames(JSON.stringify(rows), 1)).toBe(true)
})

it('ends where a text does not', () => {
  for (const text of ['"', '"a', '"a\\', '{"a":"b'.repeat(9)])
    expect(hasTooManyNames(text, 0)).toBeTypeOf('boolean')
})
