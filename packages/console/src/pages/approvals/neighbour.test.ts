import { describe, expect, it } from 'vitest'
import { neighbourOf } from './neighbour.ts'

const items = [{ id: 'a' }, { id: 'b' }, { id: 'c' }]

describe('j and k', () => {
  it('move to the next and the previous item', () => {
    expect(neighbourOf(items, 'a', 1)?.id).toBe('b')
    expect(neighbourOf(items, 'c', -1)?.id).toBe('b')
  })

  it('stop at the ends', () => {
    expect(neighbourOf(items, 'c', 1)?.id).toBe('c')
    expect(neighbourOf(items, 'a', -1)?.id).toBe('a')
  })

  it('start at the top when the selected item is gone', () => {
    expect(neighbourOf(items, 'gone', 1)?.id).toBe('a')
    expect(neighbourOf([], 'gone', 1)).toBeUndefined()
  })
})
