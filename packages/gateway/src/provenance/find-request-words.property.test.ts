import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findRequestWords } from './find-request-words.ts'
import { FARTHEST, readNearRequests } from './read-near-requests.ts'
import { readRequest } from './read-request.ts'
import { type Sentence, splitSentences } from './split-sentences.ts'

const WORDS =
  "send pay Book OPEN share please Kindly need needs to have will you could make sure want ask should don't let's the a of report reply quickly " +
  'and then or by www.example.com https://a.example/b e-mail x2 12.50 DE89 für die nicht bitte und el los por veuillez Überweise sendé İnvite ﬁle ' +
  'Kill \u212aeep оплата 请把报告发给 送って below account is are saved'
const SIGNS = [
  ' ',
  ' ',
  ' ',
  ' ',
  '. ',
  '.',
  ', ',
  ': ',
  ':',
  '; ',
  '! ',
  '? ',
  '\n',
  '\n\n',
  ' - ',
  ' – ',
  '-',
  ' | ',
  ' * ',
  '"',
  '“',
  '” ',
  '(',
  ') ',
  '[',
  '] ',
  "'",
  '\u00a0',
  '。',
  ' 😀 ',
  '/',
  '{"',
  '","',
  '<b>',
  '</b>',
  '\\n',
  'key: ',
  '- ',
  '• ',
]

const text = fc
  .array(fc.tuple(fc.constantFrom(...WORDS.split(' ')), fc.constantFrom(...SIGNS)), { maxLength: 40 })
  .map(pairs => pairs.flat().join(''))

describe('findRequestWords', () => {
  it('finds a place in every sentence that asks for something', () => {
    fc.assert(
      fc.property(text, whole => {
        for (const { text: sentence } of splitSentences(whole))
          if (readRequest(sentence) !== 0) expect(findRequestWords(sentence), sentence).not.toEqual([])
      }),
      { numRuns: 3000 },
    )
  })

  it('finds nothing in text that only states something', () => {
    const stated =
      'We met in May, and the budget is confirmed. The hall is near the station; there is a map on www.example.com/hall.'
    expect(findRequestWords(stated)).toEqual([])
    expect(findRequestWords('Der Bericht ist fertig und liegt bei dem Vorstand.')).not.toEqual([])
  })
})

describe('readNearRequests', () => {
  it('finds the same requests as reading every sentence, each with the sentences around it', () => {
    fc.assert(
      fc.property(text, whole => {
        const all = splitSentences(whole)
        const own = all.map(sentence => (sentence.isProse ? readRequest(sentence.text) : 0))
        const expected = contextsOf(all, own)
        const found = readNearRequests(whole, false).flatMap(stretch =>
          contextsOf(stretch.sentences, stretch.own),
        )
        expect(found).toEqual(expected)
      }),
      { numRuns: 3000 },
    )
  })
})

function contextsOf(sentences: readonly Sentence[], own: readonly number[]): object[] {
  return own.flatMap((asks, at) => {
    if (asks === 0) return []
    const around = sentences.slice(Math.max(0, at - FARTHEST), at + FARTHEST + 1)
    return [{ asks, around: around.map(({ text, isProse }) => ({ text, isProse })) }]
  })
}
