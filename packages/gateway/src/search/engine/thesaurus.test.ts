import { expect, it } from 'vitest'
import { findRelated } from './expand-query.ts'
import { stem } from './stem.ts'
import { KINDS, SYNONYMS } from './thesaurus-words.ts'

it('relates synonyms in both directions and specific words to their category only', () => {
  expect(findRelated(stem('delete'))).toContain(stem('remove'))
  expect(findRelated(stem('remove'))).toContain(stem('delete'))
  expect(findRelated(stem('umbrella'))).toContain(stem('weather'))
  expect(findRelated(stem('weather'))).not.toContain(stem('umbrella'))
})

it('never relates a word to itself and returns nothing for unknown words', () => {
  expect(findRelated(stem('list'))).not.toContain(stem('list'))
  expect(findRelated('constructor').size).toBe(0)
})

it('contains only plain lower-case words', () => {
  expect(SYNONYMS).toMatch(/^[a-z]+( [a-z]+)+(, [a-z]+( [a-z]+)+)*$/)
  expect(KINDS).toMatch(/^[a-z]+:( [a-z]+)+(, [a-z]+:( [a-z]+)+)*$/)
})
