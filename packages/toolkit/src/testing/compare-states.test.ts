import { describe, expect, it } from 'vitest'
import { findChanges, findLosses, freeze } from './compare-states.ts'

describe('findLosses', () => {
  it.each([
    [{ a: 1 }, { a: 2 }, []],
    [{ a: 1 }, { a: 1, b: 2 }, []],
    [{ a: 1 }, {}, ['a']],
    [{ a: 'x' }, { a: null }, ['a']],
    [{ a: { b: [1, 2] } }, { a: { b: [1] } }, ['a.b.1']],
    [{ a: { b: 1 } }, { a: 'gone' }, ['a']],
    [[{ id: 'x' }, { id: 'y' }], [{ id: 'y' }, { id: 'z' }], ['x']],
    [
      [{ id: 'x', n: 1 }],
      [
        { id: 'w', n: 0 },
        { id: 'x', n: 2 },
      ],
      [],
    ],
  ])('from %j to %j', (before, after, lost) => {
    expect(findLosses(before, after)).toEqual(lost)
  })
})

describe('freeze', () => {
  it('returns a copy that later changes do not affect', () => {
    const notes = new Map([['1', { tags: new Set(['a']), at: new Date(0) }]])
    const before = freeze(notes)
    notes.get('1')?.tags.add('b')
    expect(findChanges(before, freeze(notes))).toEqual(['1.tags.1'])
    expect(before).toEqual({ 1: { tags: ['a'], at: '1970-01-01T00:00:00.000Z' } })
  })
})
