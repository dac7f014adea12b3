import { describe, expect, it } from 'vitest'
import { scanTool } from './scan-tool.ts'

/**
 * Time limit for a scan: much longer than one takes on a busy machine, and much shorter than one with backtracking
 * would take.
 */
const GENEROUS_MS = 10_000
const LIMIT = 65_536

describe('hostile texts', () => {
  const texts: readonly (readonly [what: string, text: string])[] = [
    ['a megabyte of one letter', 'a'.repeat(1_000_000)],
    ['words that rules start with', 'ignore '.repeat(200_000)],
    ['words that bags are made of', 'credentials '.repeat(100_000)],
    ['quotation marks', '"'.repeat(1_000_000)],
    ['opening brackets', '<[{('.repeat(250_000)],
    ['comments that never end', '<!-- '.repeat(200_000)],
    ['tags that never end', '<secret>'.repeat(125_000)],
    ['addresses', 'https://a?{'.repeat(100_000)],
    ['escapes', '%41'.repeat(300_000)],
    ['base64', 'QUFB'.repeat(250_000)],
    ['digits', '65, '.repeat(250_000)],
    ['letters set apart', 'a '.repeat(500_000)],
    ['white space', ' \n'.repeat(500_000)],
    ['images', '![x](https://a/'.repeat(70_000)],
    ['characters of four bytes', '\u{1F600}\u{E0041}'.repeat(250_000)],
    ['joiners', '\u200D'.repeat(1_000_000)],
    ['curls', 'curl http://a '.repeat(70_000)],
  ]

  it.each(texts)('take bounded time for %s, and the rest is reported as unread', (_, text) => {
    const start = performance.now()
    const findings = scanTool({ name: 'tool', description: text })
    expect(performance.now() - start).toBeLessThan(GENEROUS_MS)
    expect(findings.find(({ rule }) => rule === 'unscanned')).toMatchObject({
      severity: 'high',
      span: [LIMIT, text.length],
    })
    for (const { excerpt } of findings) expect(excerpt.length).toBeLessThan(1000)
  })
})
