import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splitText } from './split-text.ts'

const split = (text: string) => splitText(text, 1_000)

describe('splitting text into words', () => {
  it.each([
    ['getUserByID', ['get', 'user', 'by', 'id']],
    ['list_all-files.now', ['list', 'all', 'files', 'now']],
    ['HTTPServer parses PDFs', ['http', 'server', 'parses', 'pdfs']],
    ["What's new? Don't", ['what', 's', 'new', 'don', 't']],
    ['What’s new', ['what', 's', 'new']],
    ['an S3 bucket at url2', ['an', 's3', 'bucket', 'at', 'url']],
    ['Café Ünder', ['cafe', 'under']],
    ['in 365 days', ['in', '365', 'days']],
    ['读取文件', ['读取', '取文', '文件']],
    ['файл', ['файл']],
    ['–—… ()', []],
    ['', []],
  ])('%s', (text, words) => {
    expect(split(text).words).toEqual(words)
  })

  it('keeps the whole spelling of a word with capitals or digits inside', () => {
    expect(split('YouTube and url2').wholes).toEqual(['youtube', 'url2'])
    expect(split('aVeryLongCamelCaseName').wholes).toEqual([])
  })

  it('stops at the given length', () => {
    expect(splitText('one two three', 7).words).toEqual(['one', 'two'])
  })

  it('never returns an empty or endless word', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), text => {
        for (const word of split(text).words) expect(word.length > 0 && word.length <= 40).toBe(true)
      }),
    )
  })

  it('takes linear time on text made to slow down regular expressions', () => {
    for (const part of ['A', 'aA', 'ſ', 'é', '9', "a'", '\u0301', '読']) {
      expect(splitText(part.repeat(100_000), 200_000).words.length).toBeGreaterThan(-1)
    }
  })
})
