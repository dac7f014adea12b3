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
  /** Every match contains one of these strings of at least two characters. One pass finds the hints of all rules. */
  readonly hints?: readonly string[]
  /**
   * The possible numbers of characters before the hint in a match, largest first; 0 by default. With an empty list the hint
   * may be anywhere, and its presence causes a search of the whole text.
   */
  readonly hintAt: readonly number[]
  /** For a rule without a hint: the minimum length of a run without blanks. */
  readonly minRun: number
  /**
   * Global. The secret is the first group if there is one, else the whole match. A group `head` was matched by a lookbehind
   * and belongs to the secret as well.
   */
  readonly pattern: RegExp
  /** The body of a token: at most this many characters of one class. A longer run is not a token. */
  readonly body?: { readonly run: RegExp; readonly most: number }
  readonly confidence: number
  /** The minimum entropy in bits per character; sample keys of one repeated letter have none. */
  readonly entropy: number
  /** An additional check, such as a checksum. A number replaces the confidence. */
  readonly judge?: (secret: string) => boolean | number
}

const ROWS = readTable('secret-rules.json', rows, {
  id: 'text',
  /** The start of a token, as a literal or as a pattern, and its body. */
  prefix: 'text?',
  start: 'pattern?',
  body: 'pattern?',
  /** Replaces prefix, start and body. */
  pattern: 'pattern?',
  flags: 'text?',
  hints: 'texts?',
  hintAt: 'numbers?',
  minRun: 'number?',
  confidence: 'number?',
  entropy: 'number?',
  /** A second pattern that the secret must match. */
  has: 'pattern?',
  /** One of `JUDGES`. */
  judge: 'text?',
})

type Row = (typeof ROWS)[number]

const JUDGES: Readonly<Record<string, (secret: string) => boolean | number>> = {
  /** The token ends with its own checksum: a valid one is certain, an invalid one may be a sample. */
  checksum: token => (crc62(token.slice(token.indexOf('_') + 1, -6)) === token.slice(-6) ? 1 : 0.85),
  'web-token': token => token.split('.', 2).every(isJsonHead),
  'encoded-web-token': token =>
    isJsonHead(Buffer.from(token.slice(0, 400), 'base64').toString('latin1').split('.', 1)[0] ?? ''),
  /** A long one is a key and must be random; a short one is an encrypted password. */
  'encrypted-or-random': token => token.length < 40 || entropyOf(token) > 3.5,
}

/** Enough to recognise JSON. */
const MAX_READ = 1600

/** Whether a part of a web token decodes to a JSON object, judged by its beginning when it is long. */
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

/** Formats as their vendors publish them, with checksums where they exist. */
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

/** A token must not start inside a word or be followed by more characters of its class. */
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
