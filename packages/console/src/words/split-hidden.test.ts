import { describe, expect, it } from 'vitest'
import { splitHidden } from './split-hidden.ts'

const shown = (text: string, keepLines = false): string =>
  splitHidden(text, keepLines)
    .map(piece => (piece.kind === 'text' ? piece.text : `[${piece.label}]`))
    .join('')

describe('text of others', () => {
  it('is one piece when there is nothing hidden in it', () => {
    expect(splitHidden('Deletes <b>a</b> file, für immer')).toEqual([
      { kind: 'text', text: 'Deletes <b>a</b> file, für immer' },
    ])
  })

  it('shows what reorders, joins or hides as a mark', () => {
    expect(shown('a\u202Eb\u200Bc\u2066d\uFEFF')).toBe('a[RLO]b[ZWSP]c[LRI]d[BOM]')
    expect(shown('x\u0000y\u001b[31m')).toBe('x[NUL]y[ESC][31m')
    expect(shown('\u{e000}')).toBe('[U+E000]')
  })

  it('spells out what tag characters spell', () => {
    expect(shown('ok\u{E0068}\u{E0069}')).toBe('ok[tag h][tag i]')
  })

  it('keeps lines where lines are wanted, and nothing else', () => {
    expect(shown('a\n\tb\u202E', true)).toBe('a\n\tb[RLO]')
    expect(shown('a\nb')).toBe('a[LF]b')
  })

  it('does not mistake text that looks like an escape for one', () => {
    expect(splitHidden('\\u{202e}')).toEqual([{ kind: 'text', text: '\\u{202e}' }])
  })
})
