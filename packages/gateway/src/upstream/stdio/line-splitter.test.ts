import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createLineSplitter, type Skipped } from './line-splitter.ts'

function split(chunks: readonly Buffer[], maxBytes = 1000): { lines: string[]; tooLong: number } {
  const lines: string[] = []
  let tooLong = 0
  const feed = createLineSplitter(
    maxBytes,
    line => lines.push(line),
    () => (tooLong += 1),
  )
  for (const chunk of chunks) feed(chunk)
  return { lines, tooLong }
}

describe('splitting a stream into lines', () => {
  it('gives the same lines however the bytes are cut', () => {
    const text = fc.array(
      fc.string({ unit: 'grapheme' }).map(line => line.replaceAll('\n', ' ')),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(text, fc.array(fc.nat(200), { maxLength: 10 }), (lines, cuts) => {
        const bytes = Buffer.from(lines.map(line => `${line}\n`).join(''))
        const points = [
          0,
          ...cuts.map(cut => Math.min(cut, bytes.length)).sort((a, b) => a - b),
          bytes.length,
        ]
        const chunks = points.slice(1).map((end, i) => bytes.subarray(points[i], end))
        expect(split(chunks, 10_000).lines).toEqual(lines.filter(line => line !== ''))
      }),
    )
  })

  it('keeps back a line that has not ended', () => {
    expect(split([Buffer.from('one\ntw')]).lines).toEqual(['one'])
  })

  it('reports a line that is too long once, skips it, and continues with the next', () => {
    const chunks = [Buffer.from('x'.repeat(600)), Buffer.from('x'.repeat(600)), Buffer.from('x\nok\n')]
    expect(split(chunks)).toEqual({ lines: ['ok'], tooLong: 1 })
  })

  it('reports both ends of a line that is too long, however it is cut', () => {
    const line = `first ${'x'.repeat(3000)} last`
    for (const length of [1, 7, 255, 256, 257, 1000, 5000]) {
      const told: Skipped[] = []
      const feed = createLineSplitter(
        1000,
        () => {},
        skipped => told.push(skipped),
      )
      const bytes = Buffer.from(`${line}\n`)
      for (let at = 0; at < bytes.length; at += length) feed(bytes.subarray(at, at + length))
      expect(told).toEqual([{ head: line.slice(0, 256), tail: line.slice(-256), isEnded: true }])
    }
  })

  it('reports a line without end once, and continues with the next if it ends after all', () => {
    const endless = Array.from({ length: 20 }, () => Buffer.from('x'.repeat(600)))
    expect(split([...endless, Buffer.from('x\nok\n')])).toEqual({ lines: ['ok'], tooLong: 1 })
    expect(split(endless)).toEqual({ lines: [], tooLong: 1 })
  })
})

it('counts empty lines, and no others, however the bytes are cut', () => {
  let empty = 0
  const lines: string[] = []
  const feed = createLineSplitter(
    1000,
    line => lines.push(line),
    () => {},
    count => {
      empty += count
    },
  )
  for (const chunk of ['\n\n\na\n\nb', '\n', '\n\nc', 'd\n\n']) feed(Buffer.from(chunk))
  expect(lines).toEqual(['a', 'b', 'cd'])
  expect(empty).toBe(7)
})
