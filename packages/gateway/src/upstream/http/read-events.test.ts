import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createEventReader } from './read-events.ts'

function read(chunks: readonly string[], maxBytes = 1e6) {
  const heard: string[] = []
  const reader = createEventReader(maxBytes, data => heard.push(data))
  for (const chunk of chunks) reader.feed(Buffer.from(chunk))
  return { heard, position: reader.position }
}

describe('an event stream', () => {
  it('gives the same events however it is cut, and however its lines end', () => {
    const cuts = fc.array(fc.nat(120), { maxLength: 30 })
    fc.assert(
      fc.property(fc.constantFrom('\n', '\r\n', '\r'), cuts, (end, places) => {
        const lines = [
          ': hello',
          '',
          'id: 7',
          'data: one',
          'data: two',
          '',
          'retry: 500',
          `data: ${'x'.repeat(40)}`,
          '',
          ':',
        ]
        const text = lines.map(line => line + end).join('')
        const sorted = [...new Set([0, ...places.filter(at => at < text.length)])].sort((a, b) => a - b)
        const { heard, position } = read(sorted.map((from, at) => text.slice(from, sorted[at + 1])))
        expect(heard).toEqual(['one\ntwo', 'x'.repeat(40)])
        expect(position).toEqual({ lastEventId: '7', retryMs: 500 })
      }),
    )
  })

  it('passes on short events immediately', () => {
    expect(read(['data: 1\n\n', 'data: 2\r\n\r\n']).heard).toEqual(['1', '2'])
  })

  it('keeps only ids that fit into a header', () => {
    expect(read([`id: ${'x'.repeat(2000)}\ndata: 1\n\n`]).position).toEqual({})
  })
})

describe('a hostile event stream', () => {
  it('costs little even if it mixes two kinds of line breaks', () => {
    const started = process.cpuUsage()
    read(Array.from({ length: 20 }, () => `data: 1\n${'\n'.repeat(64_000)}\r`))
    expect(process.cpuUsage(started).user / 1000).toBeLessThan(1000)
  })

  it('ends at an event with endless lines', () => {
    expect(() =>
      read(
        Array.from({ length: 100 }, () => 'data:\n'.repeat(10_000)),
        32e6,
      ),
    ).toThrow('does not end')
  })

  it('ends if no event ever ends', () => {
    const comment = `: ${'x'.repeat(60_000)}\n`
    expect(() => read(Array.from({ length: 100 }, () => comment))).toThrow('does not end')
    expect(read(Array.from({ length: 100 }, () => `${comment}data: 1\n\n`)).heard).toHaveLength(100)
  })

  it('counts lines without data as noise, however it is cut', () => {
    const noiseOf = (...chunks: readonly string[]): number => {
      let noise = 0
      const reader = createEventReader(
        1e6,
        () => {},
        lines => {
          noise += lines
        },
      )
      for (const chunk of chunks) reader.feed(Buffer.from(chunk))
      return noise
    }
    expect(noiseOf('data: one\n', 'data: two\n\n', `data: ${'x'.repeat(5000)}`, 'y\n')).toBe(1)
    expect(Math.floor(noiseOf('x:y\n'.repeat(1000)) / 10)).toBe(100)
    expect(Math.floor(noiseOf(': still here\n\n'.repeat(100)))).toBe(201)
    expect(Math.floor(noiseOf('id:1\ndata:\n\n'.repeat(100)))).toBe(300)
  })

  it('counts long lines as more noise', () => {
    let noise = 0
    const reader = createEventReader(
      2e6,
      () => {},
      more => {
        noise += more
      },
    )
    for (const chunk of [`:${'y'.repeat(512_000)}`, 'z'.repeat(512_000), '\n\n'])
      reader.feed(Buffer.from(chunk))
    expect(Math.round(noise)).toBe(1002)
  })

  it('ends at too many bytes without an event', () => {
    const reader = createEventReader(1e6, () => {})
    const feed = (): void => {
      for (let at = 0; at < 11; at += 1) reader.feed(Buffer.from(`data: ${'Ā'.repeat(100_000)}\n`))
    }
    expect(feed).toThrow('does not end')
  })
})
