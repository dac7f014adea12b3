import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { previewJson } from './measure-json.ts'

describe('a preview of JSON', () => {
  it('has fewer items and characters, and keeps the members that follow them', () => {
    expect(previewJson({ total: 3, rows: [1, 2, 3] }, 25)).toEqual({ total: 3, rows: [1, 2] })
    const preview = previewJson({ text: 'x'.repeat(500), rows: Array(100).fill(7), last: true }, 100)
    expect(preview).toEqual({
      text: expect.stringMatching(/^x{30,60}$/),
      rows: expect.arrayContaining([7]),
      last: true,
    })
    expect(previewJson([{ text: 'x'.repeat(500) }], 50)).toEqual([
      { text: expect.stringMatching(/^x{30,40}$/) },
    ])
  })

  it('never exceeds its length', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.integer({ min: 10, max: 200 }), (value, room) => {
        const preview = previewJson(value, room)
        expect(preview === undefined ? 0 : JSON.stringify(preview).length).toBeLessThanOrEqual(room)
      }),
    )
  })
})
