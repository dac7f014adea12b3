import { expect, it } from 'vitest'
import { createName } from './create-name.ts'

it('createName returns letters and digits only, of fixed length, and never the same name twice', () => {
  const names = Array.from({ length: 2000 }, () => createName(9))
  expect(names.filter(name => !/^[0-9a-z]{14}$/.test(name))).toEqual([])
  expect(new Set(names).size).toBe(names.length)
})
