import { describe, expect, it } from 'vitest'
import { indent, reveal, revealLine, showPrint, showTime } from './review-text.ts'

describe("a server's text for a reviewer", () => {
  it('keeps its lines and shows hidden characters', () => {
    expect(reveal('a\n\tb\u200Bc\u202Ed\u{E0041}\uFE0F\u3164\u2800\u00A0e\r\n\u001B[2J')).toBe(
      'a\n\tb\\u{200b}c\\u{202e}d\\u{e0041}\\u{fe0f}\\u{3164}\\u{2800}\\u{a0}e\n\\u{1b}[2J',
    )
  })

  it('fits on one line and is cut at a limit', () => {
    expect(revealLine('a\nb\u115F')).toBe('a\\nb\\u{115f}')
    expect(revealLine('abcdef', 4)).toBe('abc…')
  })

  it('is indented line by line', () => {
    expect(indent('a\n\nscanner')).toBe('  a\n\n  scanner')
  })
})

describe('times and fingerprints', () => {
  it('are shown in a short form', () => {
    expect(showTime(Date.UTC(2026, 0, 2, 3, 4, 5, 6))).toBe('2026-01-02T03:04:05Z')
    expect(showPrint('0123456789abcdef')).toBe('0123456789ab')
    expect(showPrint('none:a cycle')).toBe('none')
  })
})
