import { expect, it } from 'vitest'
import { readQuery } from './read-query.ts'
import { WEIGHTS } from './weights.ts'

const weightsOf = (query: string) =>
  Object.fromEntries(readQuery(query, WEIGHTS).map(({ word, weight }) => [word, weight]))

it('counts arguments for less than wishes', () => {
  const weights = weightsOf('open <vault_name> with "secret plan" from https://example.com/list and `code`')
  expect(weights).toMatchObject({ open: 1, vault: 0.5, secret: 0.5, example: 0.5, code: 0.5 })
})

it('does not take a query that was passed on in quotes for an argument', () => {
  expect(weightsOf('"show me the weather in town"')).toMatchObject({ weather: 1, town: 1 })
})

it('does not take apostrophes for quotes', () => {
  expect(weightsOf("the user's mail and the team's calendar")).toMatchObject({ mail: 1, calendar: 1 })
})

it('counts words of courtesy for little and marks stop words', () => {
  expect(weightsOf('help me')).toMatchObject({ help: WEIGHTS.filler })
  expect(readQuery('the', WEIGHTS)).toMatchObject([{ word: 'the', isStopWord: true }])
})

it('reads the first part of a pasted document only', () => {
  expect(readQuery('word '.repeat(10_000), WEIGHTS).length).toBe(400)
})
