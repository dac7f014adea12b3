import { describe, expect, it } from 'vitest'
import { shorten } from './shorten.ts'

const MOST = 4000
const tags = Object.fromEntries(Array.from({ length: 1000 }, (_, at) => [`k${at}`, at]))
const written = (value: unknown) => JSON.stringify(shorten(value, MOST).value)

describe('shortening for a form', () => {
  it('leaves a value that fits unchanged', () => {
    const args = { id: '1', list: [1, 2] }
    expect(shorten(args, MOST)).toEqual({ value: args, isCut: false })
    expect(shorten(args, MOST).value).toBe(args)
  })

  it('keeps small values wherever they are', () => {
    const { value, isCut } = shorten({ id: '1', tags, force: true, target: 'ALL' }, MOST)
    expect(isCut).toBe(true)
    expect(value).toMatchObject({ id: '1', force: true, target: 'ALL' })
    expect(Object.keys(value as object)).toEqual(['id', 'tags', 'force', 'target'])
    expect((value as { tags: string }).tags).toMatch(/^\{"k0":0,.*… \[cut: \d+ characters\]$/)
  })

  it('divides the space among large values', () => {
    const value = shorten({ a: 'a'.repeat(9000), b: 'b'.repeat(9000), c: 1 }, MOST).value as Record<
      string,
      string
    >
    expect(value.a?.length).toBeGreaterThan(1500)
    expect(value.b?.length).toBeGreaterThan(1500)
  })

  it('tells how many members were left out', () => {
    const { value } = shorten({ ...tags, target: 'ALL' }, MOST)
    const { '…': rest, ...shown } = value as Record<string, unknown>
    expect(rest).toBe(`[cut: ${1001 - Object.keys(shown).length} more]`)
  })

  it.each([
    ['a long text', { text: 'x'.repeat(100_000) }],
    ['a long name', { ['x'.repeat(100_000)]: 1 }],
    ['many members', tags],
    ['a list', Array.from({ length: 9000 }, (_, at) => at)],
    ['invisible characters', { text: '\u202e'.repeat(3000) }],
  ])('cuts %s', (_what, value) => {
    expect(shorten(value, MOST).isCut).toBe(true)
    expect(written(value).length).toBeLessThan(MOST * 1.5)
  })
})
