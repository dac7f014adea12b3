import { describe, expect, it } from 'vitest'
import { withNul, withoutNul } from './nul.ts'

describe('a name that contains U+0000', () => {
  const MARK = '\u{F0000}'
  const names = [
    '',
    'find',
    '\0',
    'a\0b\0',
    MARK,
    `${MARK}0`,
    `${MARK}1`,
    `${MARK}\0${MARK}10`,
    `\0${MARK}`,
    '🦔',
  ]

  it('is stored without U+0000 and read back unchanged', () => {
    for (const name of names) {
      expect(withNul(withoutNul(name))).toBe(name)
      expect(withoutNul(name)).not.toContain('\0')
    }
  })

  it('is stored differently from every other name', () => {
    expect(new Set(names.map(withoutNul)).size).toBe(names.length)
  })
})
