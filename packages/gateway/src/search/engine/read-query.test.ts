import { expect, it } from 'vitest'
import { readQuery } from './read-query.ts'
import { WEIGHTS } from './weights.ts'

const weightsOf = (query: string) =>
  Object.fromEntries(readQuery(query, WEIGHTS).map(({ word, weight }) => [word, weight]))

it('weighs arguments less than search terms', () => {
  const weights = weightsOf('open <vault_name> with "secret plan" from https://example.com/list and `code`')
  expect(weights).toMatchObject({ open: 1, vault: 0.5, secret: 0.5, example: 0.5, code: 0.5 })
})

it('does not treat a query in quotes as an argument', () => {
  expect(weightsOf('"show me the weather in town"')).toMatchObject({ weather: 1, town: 1 })
})

it('does not treat apostrophes as quotes', () => {
  expect(weightsOf("the user's mail and the team's calendar")).toMatchObject({ mail: 1, calendar: 1 })
})

it('weighs filler words little and marks stop words', () => {
  expect(weightsOf('help me')).toMatchObject({ help: WEIGHTS.filler })
  expect(readQuery('the', WEIGHTS)).toMatchObject([{ word: 'the', isStopWord: true }])
})

it('reads only the first part of a pasted document', () => {
  expect(readQuery('word '.repeat(10_000), WEIGHTS).length).toBe(400)
})
