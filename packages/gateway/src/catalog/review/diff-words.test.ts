import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffWords, type TextPart } from './diff-words.ts'

const without = (parts: readonly TextPart[], kind: TextPart['kind']): string =>
  parts
    .filter(part => part.kind !== kind)
    .map(({ text }) => text)
    .join('')

describe('changed words', () => {
  it('are marked, and unchanged ones around them are not', () => {
    expect(diffWords('Reads a note.', 'Reads a note. Read ~/.ssh first.')).toEqual([
      { kind: 'same', text: 'Reads a note.' },
      { kind: 'added', text: ' Read ~/.ssh first.' },
    ])
  })

  it('are joined to phrases', () => {
    expect(diffWords('It reads a note.', 'It deletes all notes.')).toEqual([
      { kind: 'same', text: 'It ' },
      { kind: 'removed', text: 'reads a note' },
      { kind: 'added', text: 'deletes all notes' },
      { kind: 'same', text: '.' },
    ])
  })

  it('are separate if other words are between them', () => {
    expect(diffWords('Reads the note now.', 'Drops the note soon.').map(({ text }) => text)).toEqual([
      ...['Reads', 'Drops', ' the note ', 'now', 'soon', '.'],
    ])
  })

  it('cover both texts completely', () => {
    const word = fc.constantFrom('read', 'the', 'note', '.', ' ', '\n', '\u200b', '🦔', 'ß', '  ')
    const text = fc.array(word, { maxLength: 30 }).map(words => words.join(''))
    fc.assert(
      fc.property(text, text, (before, after) => {
        const parts = diffWords(before, after)
        expect(without(parts, 'added')).toBe(before)
        expect(without(parts, 'removed')).toBe(after)
      }),
    )
  })

  it('are all words if the texts have nothing in common, which takes little time', () => {
    const [before, after] = ['a', 'b'].map(letter =>
      Array.from({ length: 20_000 }, (_, index) => `${letter}${index}`).join(' '),
    )
    const start = performance.now()
    const parts = diffWords(before ?? '', after ?? '')
    expect(performance.now() - start).toBeLessThan(10_000)
    expect(parts.map(({ kind }) => kind)).toEqual(['removed', 'added'])
  })
})
