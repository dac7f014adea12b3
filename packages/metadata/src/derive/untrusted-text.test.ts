import { describe, expect, it } from 'vitest'
import { showUntrusted } from './untrusted-text.ts'

/** Characters that most fonts show as nothing. */
const HIDDEN: readonly (readonly [string, number])[] = [
  ['a Hangul filler', 0x3164],
  ['a Hangul choseong filler', 0x115f],
  ['a Hangul jungseong filler', 0x1160],
  ['a halfwidth Hangul filler', 0xffa0],
  ['the first variation selector', 0xfe00],
  ['the last of the first variation selectors', 0xfe0f],
  ['the first supplementary variation selector', 0xe0100],
  ['the last supplementary variation selector', 0xe01ef],
  ['a Mongolian variation selector', 0x180b],
  ['a combining grapheme joiner', 0x34f],
  ['a Khmer inherent vowel', 0x17b4],
  ["braille's blank", 0x2800],
  ['a zero-width space', 0x200b],
  ['a tag letter', 0xe0041],
  ['a right-to-left override', 0x202e],
  ['a lone surrogate', 0xd800],
  ['a character of private use', 0xe000],
]

describe('untrusted text', () => {
  it.each(HIDDEN)('shows %s as its code point', (_what, code) => {
    expect(showUntrusted(`a${String.fromCodePoint(code)}b`)).toBe(`a\\u{${code.toString(16)}}b`)
  })

  it('keeps letters, marks and spaces of any language', () => {
    const plain = 'Grüße, 世界 한글 नमस्ते e\u0301 😀'
    expect(showUntrusted(plain)).toBe(plain)
  })

  it('is shortened and kept on one line', () => {
    expect(showUntrusted('a\n\tb')).toBe('a\\n\\tb')
    expect(showUntrusted('abcdef', 4)).toBe('abc…')
  })
})
