import { describe, expect, it } from 'vitest'
import { readTable } from './read-table.ts'

const SHAPE = {
  id: 'text',
  hints: 'texts?',
  pattern: 'pattern?',
  weights: 'numbers?',
  confidence: 'number',
} as const

describe('readTable()', () => {
  it('returns valid rows unchanged', () => {
    const rows = [
      { id: 'a', confidence: 1 },
      { id: 'b', hints: ['x'], pattern: 'x{3}', weights: [1, 2], confidence: 0.5 },
    ]
    expect(readTable('a.json', rows, SHAPE)).toEqual(rows)
  })

  it.each([
    [{ id: 'a' }, '"confidence" is missing'],
    [{ id: '', confidence: 1 }, '"id" is not of type text'],
    [
      { id: 'a', confidence: 1, hint: 'x' },
      'unknown key "hint"; use one of id, hints, pattern, weights, confidence',
    ],
    [{ id: 'a', confidence: 1, hints: 'x' }, '"hints" is not of type texts'],
    [{ id: 'a', confidence: 1, hints: [] }, '"hints" is not of type texts'],
    [{ id: 'a', confidence: 1, pattern: '(' }, '"pattern" is not of type pattern'],
    [{ id: 'a', confidence: 1, weights: ['1'] }, '"weights" is not of type numbers'],
    ['a', 'is not an object'],
  ])('throws with the file, the row and the problem: %j', (row, problem) => {
    const read = (): unknown => readTable('a.json', [{ id: 'a', confidence: 1 }, row], SHAPE)
    expect(read).toThrow(`a.json: row 2 (${JSON.stringify(row)}): ${problem}`)
  })
})
