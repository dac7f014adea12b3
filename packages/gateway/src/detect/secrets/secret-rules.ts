import { crc62 } from '../text/checksums.ts'
import { entropyOf } from '../text/entropy.ts'
import { readTable } from '../text/read-table.ts'
import rows from './secret-rules.json' with { type: 'json' }

/**
 * A kind of secret with a known shape. A pattern starts with a literal, has no nested repetition, and bounds every
 * repetition, so it takes linear time.
 */
export interface SecretRule {
  readonly id: string
  /** Strings of at least two characters, one of which every match contains. One pass finds the hints of all rules. */
  readonly hints?: readonly string[]
  /**
   * The possible numbers of characters before the hint in a match, largest first; 0 by default. If the list is empty,
   * the hint can be anywhere in a match, and a text that contains it is searched as a whole.
   */
  readonly hintAt: readonly number[]
  /** Minimum length of a run without blanks, for a rule without a hint. */
  readonly minRun: number
  /**
   * A global pattern. The secret is the first group if there is one, otherwise the whole match. A group `head`, which a
   * lookbehind matches, belongs to the secret as well.
   */
  readonly pattern: RegExp
  /** The body of a token, which has at most `most` characters of one class. A longer run is not a token. */
  readonly body?: { readonly run: RegExp; readonly most: number }
  readonly confidence: number
  /** Minimum entropy in bits per character. A sample key of one repeated letter has none. */
  readonly entropy: number
  /** An additional check, such as a checksum. If it returns a number, that number replaces the confidence. */
  readonly judge?: (secret: string) => boolean | number
}

const ROWS = readTable('secret-rules.json', rows, {
  id: 'text',
  /** The start of a token, as a literal or as a pattern, and its body. */
  prefix: 'text?',
  start: 'pattern?',
  body: 'pattern?',
  /** The whole pattern, in place of prefix, start and body. */
  pattern: 'pattern?',
  flags: 'text?',
  hints: 'texts?',
  hintAt: 'numbers?',
  minRun: 'number?',
  confidence: 'number?',
  entropy: 'number?',
  /** A second pattern that the secret must match. */
  has: 'pattern?',
  /** The name of one of `JUDGES`. */
  judge: 'text?',
})

type Row = (typeof ROWS)[number]

const JUDGES: Readonly<Record<string, (secret: string) => boolean | number>> = {
  /**
   * The token ends with its own checksum. With a valid one, it is certainly a token; with an invalid one, it might be a
   * sample.
   */
  checksum: token => (crc62(token.slice(token.indexOf('_') + 1, -6)) === token.slice(-6) ? 1 : 0.85),
  'web-token': token => token.split('.', 2).every(isJsonHead),
  'encoded-web-token': token =>
    isJsonHead(Buffer.from(token.slice(0, 400), 'base64').toString('latin1').split('.', 1)[0] ?? ''),
  /** A long token is a key and must look random. A short one is an encrypted password. */
  'encrypted-or-random': token => token.length < 40 || entropyOf(token) > 3.5,
}

/** Maximum number of characters read, which is enough to recognise JSON. */
const MAX_READ = 1600

/** True if a part of a web token decodes to a JSON object, judged by its beginning when it is long. */
function isJsonHead(part: string): boolean {
  const text = Buffer.from(part.slice(0, MAX_READ), 'base64url').toString('utf8')
  if (part.length > MAX_READ) return text.startsWith('{"') && !text.includes('\uFFFD')
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null
  } catch {
    return false
  }
}

/** The rules for secrets with formats that their vendors publish, with checksums where they exist. */
export const SECRET_RULES: readonly SecretRule[] = ROWS.map(toRule)

function toRule(row: Row): SecretRule {
  const { id, prefix, hints = prefix === undefined ? undefined : [prefix], flags = '', body } = row
  const { hintAt = [0], minRun = 0, confidence = 0.95, entropy = prefix === undefined ? 0 : 2.5 } = row
  const source = row.pattern ?? patternOf(row)
  const judge = judgeOf(row)
  const [, run, most] = /^(.*)\{(?:\d+,)?(\d+)\}$/.exec(body ?? '') ?? []
  return {
    id,
    ...(hints && { hints }),
    hintAt,
    minRun,
    pattern: new RegExp(source, `g${flags}`),
    ...(run !== undefined && { body: { run: new RegExp(`${run}*`, 'y'), most: Number(most) } }),
    confidence,
    entropy,
    ...(judge && { judge }),
  }
}

/**
 * Builds the pattern of a token. A token must not start inside a word or be followed by more characters of its class.
 */
function patternOf({ id, prefix, start = prefix?.replaceAll('.', '\\.'), body = '' }: Row): string {
  const kind = /^\[[^\]]+\](?=\{)/.exec(body)?.[0]
  if (start === undefined || kind === undefined)
    throw new Error(`secret-rules.json: ${id} has neither a pattern nor a prefix and a body`)
  return `(?<![A-Za-z0-9])${start}${body}(?!${kind})`
}

function judgeOf({ id, has, judge }: Row): SecretRule['judge'] {
  if (judge !== undefined && JUDGES[judge] === undefined)
    throw new Error(`secret-rules.json: ${id}: unknown judge "${judge}"`)
  const pattern = has === undefined ? undefined : new RegExp(has)
  return judge === undefined ? pattern && (secret => pattern.test(secret)) : JUDGES[judge]
}
