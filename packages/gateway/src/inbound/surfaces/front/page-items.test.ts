import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageItems, type Section } from './page-items.ts'

const section = (server: string, count: number, size = 1): Section => ({
  server,
  items: Array.from({ length: count }, (_, at) => ({ uri: `${server}/${at}`, text: 'x'.repeat(size) })),
})

function readAll(sections: readonly Section[]): string[] {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = pageItems(sections, cursor)
    if (page === undefined) throw new Error('the cursor is not accepted')
    found.push(...page.sections.flatMap(({ items }) => items.map(({ uri }) => String(uri))))
    cursor = page.next
  } while (cursor !== undefined)
  return found
}

describe('the pages of a merged list', () => {
  it('have every item exactly once, in the order of the servers', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(600), { maxLength: 6 }), counts => {
        const sections = counts.map((count, at) => section(`s${at}`, count))
        expect(readAll(sections)).toEqual(sections.flatMap(({ items }) => items.map(({ uri }) => uri)))
      }),
      { numRuns: 30 },
    )
  })

  it('are bounded by number and by length, but always have an item', () => {
    expect(pageItems([section('a', 1000)], undefined)?.sections[0]?.items).toHaveLength(250)
    expect(pageItems([section('a', 10, 150_000)], undefined)?.sections[0]?.items).toHaveLength(2)
    expect(pageItems([section('a', 2, 900_000)], undefined)?.sections[0]?.items).toHaveLength(1)
  })

  it.each([7, '', 'x', 'e30', 'x'.repeat(300)])('refuse the cursor %j', cursor =>
    expect(pageItems([section('a', 1000)], cursor)).toBeUndefined(),
  )

  it('refuse a cursor that names a server outside the list, as an unknown one', () => {
    const { next } = pageItems([section('a', 300)], undefined) ?? {}
    expect(pageItems([section('a', 300)], next)).toBeDefined()
    expect(pageItems([section('b', 300)], next)).toBeUndefined()
  })
})
