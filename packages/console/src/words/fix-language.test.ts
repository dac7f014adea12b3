import { describe, expect, it } from 'vitest'
import { fixLanguage, toUsableLanguage } from './fix-language.ts'

describe('the language of the browser', () => {
  it.each([
    ['de-CH', 'de-CH'],
    ['en-US@posix', 'en-US'],
    ['de_DE.UTF-8', 'de-DE'],
    ['', 'en-US'],
    ['!', 'en-US'],
  ])('%j becomes %s', (given, usable) => {
    expect(toUsableLanguage(given)).toBe(usable)
  })

  it('is corrected before a library fails on it', () => {
    const navigator = Object.create({ language: 'en-US@posix' }) as { readonly language: string }
    fixLanguage(navigator)
    expect(new Intl.NumberFormat(navigator.language).format(1)).toBe('1')
  })
})
