import { describe, expect, it } from 'vitest'
import { GAP, IDENTIFIER, MAX_TEXT_LENGTH, readWords } from './read-words.ts'

describe('readWords', () => {
  it('lower-cases words and keeps contractions whole', () => {
    expect(readWords("It doesn't Delete files").words).toEqual(['it', 'doesnt', 'delete', 'files'])
  })

  it('does not treat names of tools or parameters as prose', () => {
    const { words } = readWords('Use delete_file or removeAll with --force instead of GET')
    expect(words.filter(word => word === IDENTIFIER)).toHaveLength(4)
  })

  it('marks sentences, clauses and lists', () => {
    const { words, gaps } = readWords('Reads, e.g. v1.2 files. Purpose: none')
    const gapBefore = (word: string): number | undefined => gaps[words.indexOf(word)]
    expect(gapBefore('reads')).toBe(GAP.sentence)
    expect(gapBefore('e')).toBe(GAP.comma)
    expect(gapBefore('2')).toBe(GAP.space)
    expect(gapBefore('purpose')).toBe(GAP.sentence)
    expect(gapBefore('none')).toBe(GAP.clause)
  })

  it('reads only the start of a very long text', () => {
    const { words } = readWords('ab '.repeat(4_000_000))
    expect(words.join(' ').length).toBeLessThanOrEqual(MAX_TEXT_LENGTH)
  })
})
