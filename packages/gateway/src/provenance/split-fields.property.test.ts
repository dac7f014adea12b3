import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { endOfKey, splitValues, startsField } from './split-fields.ts'

const FIELD = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s|$)|^[-*•] |^[[{|]/u
const KEY = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s+|$)["'|>]?/u
const BETWEEN_VALUES = /["']\s*[,:]\s*["']?|["']?[}\]]+\s*,?\s*|,\s*["'{[]|[{[]+["']?/

const line = fc
  .array(
    fc.constantFrom(
      'a',
      'Key',
      ' ',
      '-',
      '- ',
      '.',
      ':',
      ': ',
      '"',
      "'",
      '|',
      '>',
      '•',
      'ü',
      '𝐀',
      '\u00a0',
      '[',
      '{',
      'x'.repeat(39),
      '\t',
    ),
    {
      maxLength: 8,
    },
  )
  .map(pieces => pieces.join(''))
const json = fc
  .array(fc.constantFrom('a', ' ', '"', "'", ',', ':', '{', '}', '[', ']', '\n', '\u00a0', 'é'), {
    maxLength: 30,
  })
  .map(pieces => pieces.join(''))

describe('the scanners for fields', () => {
  it('find the same fields and keys as the patterns', () => {
    fc.assert(
      fc.property(line, text => {
        expect(startsField(text)).toBe(FIELD.test(text))
        expect(endOfKey(text)).toBe(KEY.exec(text)?.[0].length ?? 0)
      }),
      { numRuns: 5000 },
    )
  })

  it('find the same values as the pattern', () => {
    fc.assert(
      fc.property(json, text => {
        const values: string[] = []
        splitValues(text, value => values.push(value))
        expect(values).toEqual(text.split(BETWEEN_VALUES).filter(value => value !== ''))
      }),
      { numRuns: 5000 },
    )
  })
})
