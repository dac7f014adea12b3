import { expect, it } from 'vitest'
import { GrowingBuffer } from './growing-buffer.ts'

it('holds all bytes, in pieces of any length', () => {
  const all = new GrowingBuffer()
  expect(all.bytes).toHaveLength(0)
  const pieces = [1, 1023, 1, 0, 5000, 100_000, 1].map((length, at) => Buffer.alloc(length, at + 65))
  for (const piece of pieces) all.add(piece)
  expect(all.bytes.equals(Buffer.concat(pieces))).toBe(true)
})

it('keeps no reference to the pieces', () => {
  const piece = Buffer.from('a')
  const all = new GrowingBuffer()
  all.add(piece)
  piece.write('b')
  expect(all.bytes.toString()).toBe('a')
})
