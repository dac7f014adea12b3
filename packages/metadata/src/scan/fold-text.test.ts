import { describe, expect, it } from 'vitest'
import { toCompatible } from './compatible-text.ts'
import { foldLookAlikes } from './fold-look-alikes.ts'
import { foldText } from './fold-text.ts'

describe('foldText', () => {
  it.each([
    ['ｄｅｌｅｔｅ', 'delete'],
    ['dеlеte', 'delete'],
    ['DELETE', 'delete'],
    ['de\u0000le\u0007te\u007f\u0085', 'delete'],
    ['de\u200ble\u00adte', 'delete'],
    ['dé\u0301lete', 'delete'],
    ['a\tb\nc', 'a\tb\nc'],
    ['\u{2F800}', '丽'],
    ['\u{20000}\u{E0041}', '\u{20000}'],
    ['“don’t”', '"don\'t"'],
  ])('folds %j to %j, with and without offsets', (text, seen) => {
    expect(foldLookAlikes(text)).toBe(seen)
    expect(foldText(text).folded).toBe(seen)
  })
})

describe('toCompatible', () => {
  it('equals NFKC for ordinary text', () => {
    for (const text of ['ｆｉｌｅ ½ ﬁ', 'e\u0301', 'plain', '漢字', `a${'\u0301'.repeat(30)}`])
      expect(toCompatible(text)).toBe(text.normalize('NFKC'))
  })

  it('limits the marks on a letter, and does not expand a letter to a sentence', () => {
    expect(toCompatible(`a${'\u0323'.repeat(5000)}b`)).toBe(`a${'\u0323'.repeat(30)}b`.normalize('NFKC'))
    expect(toCompatible('\uFDFA'.repeat(3))).toBe('   ')
  })

  it.each(['\u0301\u0323', '\u0301\uFF9E', '\u0301\uFF9F', '\u0323\u0E33', '\uFDFA', '\u{2F800}', '\u0344'])(
    'takes linear time for %j',
    piece => {
      const text = `a${piece.repeat(300_000 / piece.length)}`
      const before = process.cpuUsage()
      toCompatible(text)
      foldLookAlikes(text)
      const { user, system } = process.cpuUsage(before)
      expect((user + system) / 1e6).toBeLessThan(3)
    },
  )
})
