import { describe, expect, it } from 'vitest'
import { markFindings } from './mark-findings.ts'

const found = (start: number, end: number) => ({ start, end, severity: 'high', reason: 'why' })
const shown = (text: string, findings: ReturnType<typeof found>[]): string =>
  markFindings(text, findings)
    .map(({ text: part, finding }) => (finding === undefined ? part : `[${part}]`))
    .join('')

describe('markFindings', () => {
  it('marks findings at their position, in order', () => {
    expect(shown('abcdef', [found(4, 5), found(0, 2)])).toBe('[ab]cd[e]f')
  })

  it('does not repeat overlapping text', () => {
    expect(shown('abcdef', [found(0, 4), found(2, 6), found(1, 3)])).toBe('[abcd][ef]')
  })

  it('ignores findings outside of the text', () => {
    expect(shown('abc', [found(2, 99), found(50, 60), found(1, 1)])).toBe('ab[c]')
  })
})
