import fc from 'fast-check'
import { expect, it } from 'vitest'
import { Pieces } from './pieces.ts'

it('returns the bytes unchanged for any split into pieces', () => {
  const lengths = fc.array(fc.oneof(fc.nat(40), fc.nat(3000)), { maxLength: 60 })
  fc.assert(
    fc.property(lengths, fc.boolean(), (sizes, looksEarly) => {
      const pieces = new Pieces()
      const texts = sizes.map((size, at) => String.fromCharCode(97 + (at % 26)).repeat(size))
      for (const [at, text] of texts.entries()) {
        pieces.add(Buffer.from(text))
        if (looksEarly) expect(pieces.toString()).toBe(texts.slice(0, at + 1).join(''))
      }
      expect([pieces.toString(), pieces.size]).toEqual([texts.join(''), texts.join('').length])
    }),
  )
})

it('uses little more memory than the bytes need, even for very small pieces', () => {
  const pieces = new Pieces()
  const before = process.memoryUsage()
  for (let at = 0; at < 1_000_000; at++) pieces.add(Buffer.from('x'))
  const { heapUsed, arrayBuffers } = process.memoryUsage()
  expect(pieces.toString().length).toBe(1_000_000)
  expect(heapUsed + arrayBuffers - before.heapUsed - before.arrayBuffers).toBeLessThan(60_000_000)
})

it('keeps the bytes when the caller reuses its buffer', () => {
  for (const length of [10, 5000]) {
    const [pieces, place] = [new Pieces(), Buffer.alloc(length, 'a')]
    pieces.add(place)
    pieces.add(place)
    place.fill('b')
    expect(pieces.toString()).toBe('a'.repeat(2 * length))
  }
})
