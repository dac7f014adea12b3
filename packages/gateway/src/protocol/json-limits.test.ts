import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hasTooManyShapes } from './json-limits.ts'
import { parseJson } from './parse-json.ts'

/** A reference implementation, which counts the shapes of parsed objects. */
function countShapes(value: unknown, shapes = new Set<string>()): number {
  if (Array.isArray(value)) for (const part of value) countShapes(part, shapes)
  else if (typeof value === 'object' && value !== null) {
    const names = Object.keys(value).slice(0, 128)
    for (let count = 1; count <= names.length; count += 1) shapes.add(JSON.stringify(names.slice(0, count)))
    for (const part of Object.values(value)) countShapes(part, shapes)
  }
  return shapes.size
}

const row = (names: readonly string[]) => Object.fromEntries(names.map(name => [name, 1]))

describe('hasTooManyShapes()', () => {
  it('gives the same count as the reference implementation', () => {
    const name = fc.stringMatching(/^[a-e"\\é]{1,3}$/)
    const value = fc.letrec(tie => ({
      any: fc.oneof({ maxDepth: 4 }, fc.integer(), fc.string(), tie('list'), tie('object')),
      list: fc.array(tie('any'), { maxLength: 4 }),
      object: fc.dictionary(name, tie('any'), { maxKeys: 5 }),
    })).any
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2), (said, indent) => {
        const text = JSON.stringify(said, undefined, indent)
        const count = countShapes(said)
        // Blanks make the text long enough to be scanned, because a text that is too short to exceed the limit is not.
        const padded = text + ' '.repeat(4 * count)
        expect(hasTooManyShapes(padded, count)).toBe(false)
        if (count > 0) expect(hasTooManyShapes(padded, count - 1)).toBe(true)
      }),
    )
  })

  it('accepts uniform rows, even with thousands of names', () => {
    const rows = Array.from({ length: 20_000 }, () => row(['id', 'name', 'size']))
    const wide = row(Array.from({ length: 5000 }, (_, at) => `n${at}`))
    expect(hasTooManyShapes(JSON.stringify([rows, wide, wide]), 200)).toBe(false)
  })

  it('refuses objects whose names are all ordered differently', () => {
    const names = Array.from({ length: 100 }, (_, at) => `k${at}`)
    let seed = 1
    const next = () => (seed = (seed * 48271) % 2147483647)
    const odd = Array.from({ length: 3000 }, () => row(names.toSorted(() => (next() % 2 === 0 ? 1 : -1))))
    const parsed = parseJson(JSON.stringify(odd), 20)
    expect(parsed).toMatchObject({ ok: false, reason: expect.stringContaining('shapes') })
  })

  it('compares names in full', () => {
    const far = (length: number, end: number) => `${'p'.repeat(length)}${end}`
    for (const length of [0, 64, 200, 5000]) {
      const rows = Array.from({ length: 20 }, (_, at) => row([far(length, 10 + at), 'b']))
      const padded = JSON.stringify(rows)
      expect(hasTooManyShapes(padded, 40)).toBe(false)
      expect(hasTooManyShapes(padded, 39)).toBe(true)
    }
  })

  it('ignores values that look like names', () => {
    const rows = Array.from({ length: 50 }, (_, at) => ({ id: 'name', name: at % 2 === 0 ? 'id' : 'name":' }))
    expect(hasTooManyShapes(JSON.stringify(rows), 2)).toBe(false)
    expect(hasTooManyShapes(JSON.stringify(rows, undefined, 2), 2)).toBe(false)
  })

  it('terminates on every text', () => {
    for (const text of ['"', '{"a', '{"a":', ']]}}{', '{"a\\'])
      expect(hasTooManyShapes(text, 0)).toBeTypeOf('boolean')
  })
})
