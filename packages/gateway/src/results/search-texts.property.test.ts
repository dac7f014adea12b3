import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Search, TextSearch } from './search-texts.ts'
import { searchJob } from './searcher.ts'

const SECRET = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')
const KEY = ['AKIA', 'YRWQG5EJLPZLBYNP'].join('')
const IBAN = 'NO9386011117947'
const SEARCHES: readonly Search[] = [
  { kind: 'hidden', way: 'strip' },
  { kind: 'secrets', way: 'redact' },
  { kind: 'pii', way: 'redact' },
]

const change = (text: string): string => new TextSearch(SEARCHES).change(text)

const piece = fc.constantFrom(
  ...[SECRET, KEY, IBAN, '4111 1111 1111 1111', '+44 20 7946 0958', 'ada@example.com', '1.1.1.1', '⒈'],
  ...[
    'password: "',
    'token=',
    'card ',
    '"',
    ',',
    ' ',
    '-',
    '.',
    '/',
    'a1b2c3d4',
    'x',
    '7',
    '\u00AD',
    '\u200B',
  ],
  ...['\u0430', '\u001B[0m', '\u001B]', '\u0007', '\u{E0041}', '%40', '\\u0067', '[redacted:iban]'],
  ...['eyJhbGciOiJIUzI1NiJ9.', '://a:', '@', '-----BEGIN PRIVATE KEY-----', 'Authorization: Bearer '],
)
const anyText = fc.array(piece, { maxLength: 9 }).map(pieces => pieces.join(''))

describe('a searched text', () => {
  it('contains no further match', () => {
    fc.assert(
      fc.property(anyText, text => {
        const search = new TextSearch(SEARCHES)
        const once = search.change(text)
        // Skips results with too many adjacent matches. They are blocked, so their text is never shown.
        fc.pre(search.end().reasons.length === 0)
        expect(change(once)).toBe(once)
      }),
      { numRuns: 5000 },
    )
  })

  it('keeps no key directly after a redaction', () => {
    expect(change(`${KEY} `)).toBe('[redacted:aws-key] ')
    expect(change(`${IBAN}${KEY}`)).toBe('[redacted:iban][redacted:aws-key]')
  })

  it('does not affect the result for a similar text', () => {
    const looksSearched = `[redacted:iban]${KEY}`
    const { changes } = searchJob({ texts: [`${IBAN}${KEY}`, looksSearched], searches: SEARCHES })
    expect(changes.map(([text]) => text)).toContain(looksSearched)
    expect(JSON.stringify(changes.map(([, instead]) => instead))).not.toContain(KEY)
  })
})
