import { expect, it } from 'vitest'
import { createName } from './create-name.ts'

it('is of letters and digits, always as long, and never twice the same', () => {
  const names = Array.from({ length: 2000 }, () => createName(9))
  expect(names.filter(name => !/^[0-9a-z]{14}$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
