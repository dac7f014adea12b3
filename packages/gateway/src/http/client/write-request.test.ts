import { expect, it } from 'vitest'
import { writeHeader, writeHeaders } from './write-request.ts'

it('writes each header on its own line', () => {
  expect(writeHeaders({ accept: 'a/b', 'x-': 'caf\u00e9' })).toBe('accept: a/b\r\nx-: caf\u00e9\r\n')
})

it.each([
  ['x', 'a\r\nhost: evil'],
  ['x', 'a\nb'],
  ['x', 'a\rb'],
  ['x', 'a\0b'],
  ['x', '\u0100'],
  ['x y', 'a'],
  ['x:', 'a'],
  ['x\r\ny', 'a'],
  ['', 'a'],
])('refuses a header that is not a single line: %j: %j', (name, value) => {
  expect(() => writeHeader(name, value)).toThrow('contains a character that HTTP does not allow')
})
