import { describe, expect, it } from 'vitest'
import { readTable } from './read-table.ts'

const SHAPE = {
  id: 'text',
  hints: 'texts?',
  pattern: 'pattern?',
  weights: 'numbers?',
  confidence: 'number',
} as const

describe('a table of rules', () => {
  it('is taken as it is where every row has what it needs and nothing else', () => {
    const rows = [
      { id: 'a', confidence: 1 },
      { id: 'b', hints: ['x'], pattern: 'x{3}', weights: [1, 2], confidence: 0.5 },
    ]
    expect(readTable('a.json', rows, SHAPE)).toEqual(rows)
  })

  it.each([
    [{ id: 'a' }, '"confidence" is missing'],
    [{ id: '', confidence: 1 }, '"id" is no text'],
    [
      { id: 'a', confidence: 1, hint: 'x' },
      'has no "hint"; possible are id, hints, pattern, weights, confidence',
    ],
    [{ id: 'a', confidence: 1, hints: 'x' }, '"hints" is no texts'],
    [{ id: 'a', confidence: 1, hints: [] }, '"hints" is no texts'],
    [{ id: 'a', confidence: 1, pattern: '(' }, '"pattern" is no pattern'],
    [{ id: 'a', confidence: 1, weights: ['1'] }, '"weights" is no numbers'],
    ['a', 'is no object'],
  ])('is refused with the file, the row and what is wrong: %j', (row, problem) => {
    const read = (): unknown => readTable('a.json', [{ id: 'a', confidence: 1 }, row], SHAPE)
    expect(read).toThrow(`a.json: row 2 (${JSON.stringify(row)}): ${problem}`)
  })
})
