import { describe, expect, it } from 'vitest'
import type { TextPart } from '../../catalog/review/diff-words.ts'
import { showWords } from './review-show-words.ts'

const show = (...parts: readonly TextPart[]): string => showWords(parts, (_style, text) => text)
const same = (text: string): TextPart => ({ kind: 'same', text })
const added = (text: string): TextPart => ({ kind: 'added', text })
const removed = (text: string): TextPart => ({ kind: 'removed', text })

describe('a changed text', () => {
  it('has its changes marked', () => {
    expect(show(same('Reads '), removed('one'), added('all'), same('.'))).toBe('Reads [-one-]{+all+}.')
  })

  it('cannot forge the marks', () => {
    expect(show(added('nothing+} [-bad-] {+'))).toBe('{+nothing\\u{2b}} \\u{5b}-bad\\u{2d}] \\u{7b}++}')
  })

  it('shows what is hidden', () => {
    expect(show(same('a\u200B'), added('b\uFE0F'))).toBe('a\\u{200b}{+b\\u{fe0f}+}')
  })

  it('is cut where nothing changed, at the far ends and in between', () => {
    const long = 'x'.repeat(500)
    expect(show(same(long), added('a'), same(long), added('b'), same(long)).match(/x+|\d+/g)).toEqual([
      '380',
      'x'.repeat(120),
      'x'.repeat(120),
      '260',
      'x'.repeat(120),
      'x'.repeat(120),
      '380',
    ])
    expect(show(same('x'.repeat(240)), added('a'))).not.toContain('unchanged')
  })

  it('is never cut where it changed', () => {
    expect(show(added('y'.repeat(5000)))).toBe(`{+${'y'.repeat(5000)}+}`)
  })
})
