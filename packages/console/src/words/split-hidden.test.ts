import { describe, expect, it } from 'vitest'
import { splitHidden } from './split-hidden.ts'

const shown = (text: string, keepLines = false): string =>
  splitHidden(text, keepLines)
    .map(piece => (piece.kind === 'text' ? piece.text : `[${piece.label}]`))
    .join('')

describe('untrusted text', () => {
  it('is one piece when it contains no hidden characters', () => {
    expect(splitHidden('Deletes <b>a</b> file, für immer')).toEqual([
      { kind: 'text', text: 'Deletes <b>a</b> file, für immer' },
    ])
  })

  it('shows reordering, joining and invisible characters as marks', () => {
    expect(shown('a\u202Eb\u200Bc\u2066d\uFEFF')).toBe('a[RLO]b[ZWSP]c[LRI]d[BOM]')
    expect(shown('x\u0000y\u001b[31m')).toBe('x[NUL]y[ESC][31m')
    expect(shown('\u{e000}')).toBe('[U+E000]')
  })

  it('shows the text that tag characters spell', () => {
    expect(shown('ok\u{E0068}\u{E0069}')).toBe('ok[tag h][tag i]')
  })

  it('keeps line breaks and tabs only when lines are wanted', () => {
    expect(shown('a\n\tb\u202E', true)).toBe('a\n\tb[RLO]')
    expect(shown('a\nb')).toBe('a[LF]b')
  })

  it('leaves text that looks like an escape unchanged', () => {
    expect(splitHidden('\\u{202e}')).toEqual([{ kind: 'text', text: '\\u{202e}' }])
  })
})
