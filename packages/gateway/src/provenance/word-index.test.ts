import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findLead, findOrigin } from './find-origin.ts'
import { type Passage, readPassages } from './passage.ts'
import { TokenHasher } from './token-hashes.ts'
import { WordIndex } from './word-index.ts'

const hasher = new TokenHasher(Buffer.alloc(32, 1))
const source = { server: 'mail', tool: 'read', request: 'r-1', session: 's', at: 1000 }
const NAMES = [
  'ada',
  'eve',
  'US13 3000 1212',
  'desk.one',
  'https://a.example/x',
  'clear the cart',
  'mark-seven',
]

/** Many requests, so that the index is in use. */
function requests(count: number, first: number): Passage[] {
  return Array.from({ length: count }, (_, at) => {
    const name = NAMES[(first + at) % NAMES.length]
    return readPassages(`Please send part ${first + at} to "${name}" or ${name}@example.org today.`, {
      hasher,
      source,
    })
  }).flat()
}

const change = fc.record({
  added: fc.integer({ min: 0, max: 300 }),
  dropped: fc.integer({ min: 0, max: 250 }),
})
const value = fc.constantFrom(
  ...NAMES,
  'eve@example.org',
  'US1330001212',
  '17',
  'part',
  'nobody',
  'example.org',
  'a.example',
)

it('finds the same passages as comparing all of them, while passages are added and dropped', () => {
  fc.assert(
    fc.property(
      fc.array(change, { minLength: 1, maxLength: 8 }),
      fc.array(value, { maxLength: 3 }),
      (changes, values) => {
        const index = new WordIndex()
        let passages: readonly Passage[] = requests(200, 0)
        let dropped = 0
        for (const { added, dropped: most } of changes) {
          const gone = Math.min(most, passages.length)
          passages = [...passages.slice(gone), ...requests(added, dropped + passages.length)]
          dropped += gone
          const now = { passages, dropped }
          const search = (hashes: readonly number[]) => index.search(hashes, now.passages, now.dropped)
          const call = { args: { values }, kinds: -1, nouns: ['cart'] }
          expect(findOrigin(call, { passages, hasher, search })).toEqual(
            findOrigin(call, { passages, hasher }),
          )
          const read = { args: { values }, tool: 'clear_cart' }
          expect(findLead(read, { passages, hasher, search })).toBe(findLead(read, { passages, hasher }))
        }
      },
    ),
    { numRuns: 40 },
  )
})

it('still finds passages that were dropped after a call began to be judged', () => {
  const index = new WordIndex()
  const before = requests(300, 0)
  const sought = hasher.beginnings('part').slice(1)
  expect(index.search(sought, before, 0)).toHaveLength(before.length)
  const later = [...before.slice(250), ...requests(3000, 300)]
  expect(index.search(sought, later, 250)).toHaveLength(later.length)
  expect(index.search(sought, before, 0)).toEqual(before)
})
