import { describe, expect, it } from 'vitest'
import { stackCounts } from './stack-counts.ts'

const bucket = { at: 60_000, read: 3, write: 2, destructive: 1, allowed: 4, asked: 1, refused: 1, failed: 0 }

describe('a stacked chart', () => {
  it('puts every series on top of those after it', () => {
    expect(stackCounts([bucket], ['destructive', 'write', 'read'])).toEqual([[60], [6], [5], [3]])
  })

  it('is empty without calls', () => {
    expect(stackCounts([], ['read'])).toEqual([[], []])
  })
})
