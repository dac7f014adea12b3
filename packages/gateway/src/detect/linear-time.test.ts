import { describe, expect, it } from 'vitest'
import { findInjection } from './injection/find-injection.ts'
import { findPii } from './personal/find-pii.ts'
import { findSecrets } from './secrets/find-secrets.ts'
import { findHiddenText, stripHidden } from './text/find-hidden-text.ts'
import { readingsOf } from './text/readings.ts'

/** Texts of repeated beginnings of matches, which are the worst case for patterns that backtrack. */
const HOSTILE = [
  'a',
  '1',
  '1-',
  '1 ',
  '(1) ',
  '+1.',
  'a@',
  'a@a.',
  '.',
  'eyJ',
  'eyJa.eyJ',
  'AKIA',
  'ops_eyJ',
  'ghp_',
  'xoxb-1-',
  'password=',
  'token: "',
  'token: getTokenTTL.',
  'authorization=getAuthorization(',
  '://a:',
  'Authorization: ',
  'Authorization: Bearer ',
  ' Authorization: Bearer 7Xq2LmZ9vK4tRb8WcY1p\n',
  ' x-api-key: 7Xq2LmZ9',
  'curl -u a:',
  '-----BEGIN PRIVATE KEY-----',
  '-----BEGIN PRIVATE KEY-----7Xq2LmZ9vK4tRb8WcY1pN6sDf3GhJ5kQe0UaTiOyPzB7',
  '-----BEGIN PRIVATE KEY-----\n',
  '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END ',
  'DE89 ',
  'GB82AAAA',
  '4111 1111 ',
  '4111\u00A0',
  '4. ',
  'DE89 – ',
  'a:',
  '::',
  '1.1.1.',
  'ignore ',
  'ignore the ',
  'password ',
  'Q: ',
  '? ',
  'decode ? a ',
  'encode(state: ',
  'never share your ',
  'how do i reset my password ',
  '01010101 ',
  '.- ',
  'aGVsbG8g',
  'a = b + ',
  'é',
  'а',
  'aа',
  '\u200B',
  '\u200D',
  '\uFE0F',
  '\u001B',
  '\u001B[',
  '\u001B[0;',
  '\u001B[0\u200B',
  '\u001B\u200B',
  '\u001B]',
  '\u001B]8;;a',
  '\u009B\u009D',
  '忽略',
  'ก',
  '<system ',
  '"',
  '\n',
]

const SIZE = 4000
const FACTOR = 16
/**
 * Maximum ratio of times for sixteen times the input. Linear time gives 16, plus noise; quadratic time would give 256.
 */
const MAX_RATIO = 40
/** Minimum duration to measure. The clock is too coarse for shorter ones. */
const MIN_MICROSECONDS = 300

function cost(run: () => unknown): number {
  const rounds = Array.from({ length: 2 }, () => {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return user + system
  })
  return Math.min(...rounds)
}

/**
 * Returns the ratio of the two times. Measures again as long as the ratio is too high, because other processes share
 * the machine.
 */
function compare(small: () => unknown, large: () => unknown): number {
  let ratio = Number.POSITIVE_INFINITY
  for (let round = 0; round < 4 && ratio >= MAX_RATIO; round += 1) {
    ratio = Math.min(ratio, cost(large) / Math.max(cost(small), MIN_MICROSECONDS))
  }
  return ratio
}

describe.each([
  ['findSecrets', findSecrets],
  ['findPii', findPii],
  ['findInjection', findInjection],
  ['findHiddenText', findHiddenText],
  ['stripHidden', stripHidden],
  ['readingsOf', (text: string) => readingsOf(text).map(({ places }) => places())],
] as const)('%s', (_, find) => {
  it('takes linear time on every text', () => {
    for (const piece of HOSTILE) {
      const small = piece.repeat(SIZE / piece.length)
      const large = piece.repeat((SIZE * FACTOR) / piece.length)
      const ratio = compare(
        () => find(small),
        () => find(large),
      )
      expect(ratio, JSON.stringify(piece)).toBeLessThan(MAX_RATIO)
    }
  })

  it('takes linear time on unterminated terminal codes', () => {
    for (const [start, piece] of [
      ['\u001B', '\u200B'],
      ['\u001B[', '0\u200B'],
      ['\u001B]', 'a'],
    ] as const) {
      const ratio = compare(
        () => find(start + piece.repeat(SIZE)),
        () => find(start + piece.repeat(SIZE * FACTOR)),
      )
      expect(ratio, JSON.stringify(start)).toBeLessThan(MAX_RATIO)
    }
  })
})
