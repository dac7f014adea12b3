import { expect, it } from 'vitest'
import { findNearWords } from './expand-query.ts'

const near = (unknown: string, ...words: string[]) => findNearWords(unknown, words).map(({ word }) => word)

it('corrects a single typo', () => {
  expect(near('calender', 'calendar')).toEqual(['calendar'])
  expect(near('calednar', 'calendar')).toEqual(['calendar'])
  expect(near('calndar', 'calendar')).toEqual(['calendar'])
  expect(near('callendar', 'calendar')).toEqual(['calendar'])
  expect(near('cxlxndar', 'calendar')).toEqual([])
})

it('completes a beginning, the most similar first, equal ones alphabetically', () => {
  expect(near('config', 'configur', 'confirm', 'conference')).toEqual(['configur', 'confirm'])
  expect(near('transb', 'transz', 'transa')).toEqual(['transa', 'transz'])
})

it('does not guess for short words', () => {
  expect(near('sql', 'sqlite')).toEqual([])
})
