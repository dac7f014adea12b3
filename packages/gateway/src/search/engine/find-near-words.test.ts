import { expect, it } from 'vitest'
import { findNearWords } from './expand-query.ts'

const near = (unknown: string, ...words: string[]) => findNearWords(unknown, words).map(({ word }) => word)

it('forgives one slip of the keyboard', () => {
  expect(near('calender', 'calendar')).toEqual(['calendar'])
  expect(near('calednar', 'calendar')).toEqual(['calendar'])
  expect(near('calndar', 'calendar')).toEqual(['calendar'])
  expect(near('callendar', 'calendar')).toEqual(['calendar'])
  expect(near('cxlxndar', 'calendar')).toEqual([])
})

it('completes a beginning, the likest first, equal ones by spelling', () => {
  expect(near('config', 'configur', 'confirm', 'conference')).toEqual(['configur', 'confirm'])
  expect(near('transb', 'transz', 'transa')).toEqual(['transa', 'transz'])
})

it('has no guess for short words', () => {
  expect(near('sql', 'sqlite')).toEqual([])
})
