import { describe, expect, it } from 'vitest'
import { readListedActions, readVerbs } from './read-sentence.ts'
import { readWords } from './read-words.ts'

function verbsOf(text: string): string[] {
  return readVerbs(readWords(text))
    .filter(({ negated }) => !negated)
    .map(({ verb }) => verb.base)
}

describe('readVerbs', () => {
  it.each([
    ['Deletes a file.', 'delete'],
    ['This tool retrieves the weather.', 'retrieve'],
    ['Use this tool to create a ticket.', 'create'],
    ['Allows you to update a record.', 'update'],
    ['**Purpose:** Get a log entry.', 'get'],
    ['A tool for listing branches.', 'list'],
  ])('%s', (text, base) => {
    expect(verbsOf(text)[0]).toBe(base)
  })

  it('does not treat nouns as verbs', () => {
    expect(verbsOf('The update of a list by search')).toEqual([])
    expect(verbsOf('Shows a run with progress updates')).toEqual(['show'])
  })

  it('finds every verb of an enumeration', () => {
    expect(verbsOf('List, create, close, or rename a tab.')).toEqual(['list', 'create', 'close', 'rename'])
  })

  it('skips negated verbs', () => {
    expect(verbsOf('Checks the plan but does not delete it, and never modifies files.')).toEqual(['check'])
  })

  it('gives the first sentence more weight than the next', () => {
    const [first, second] = readVerbs(readWords('Gets a page. Deletes nothing else. Removes the cache.'))
    expect(first?.weight).toBeGreaterThan(second?.weight ?? 1)
  })

  it('finds actions listed after a colon', () => {
    const actions = readListedActions(readWords('Supported operations: Get, Create, Delete. Use with care.'))
    expect(actions.map(({ text }) => text)).toEqual(['get', 'create', 'delete'])
    expect(readListedActions(readWords('Supported operations: many'))).toEqual([])
  })
})
