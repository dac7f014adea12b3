import { crc62 } from '../text/checksums.ts'
import { entropyOf } from '../text/entropy.ts'
import { readTable } from '../text/read-table.ts'
import rows from './secret-rules.json' with { type: 'json' }

/**
 * A kind of secret that is known by its shape. A pattern starts with a literal, repeats nothing that repeats,
 * and every repetition has an upper bound, so its time grows with the text and with nothing else.
 */
export interface SecretRule {
  readonly id: string
  /** One of these, of two characters at least, stands in every match: looked for first, in one pass for all rules. */
  readonly hints?: readonly string[]
  /**
   * How many characters of a match stand before its hint, the most first: the rule is tried there alone. None unless told; an
   * empty list is anywhere, and costs a search of the whole text as soon as the hint stands in it.
   */
  readonly hintAt: readonly number[]
  /** For a rule without a hint: how many characters without a blank its match has at least. */
  readonly minRun: number
  /**
   * Global. The whole match, or its first group where it has one, is the secret. A group `head` is what was read
   * backwards from the match, and belongs to the secret too.
   */
  readonly pattern: RegExp
  /** What a token ends with that is so many characters of one kind at most: a longer run of them is none. */
  readonly body?: { readonly run: RegExp; readonly most: number }
  readonly confidence: number
  /** Bits a character that the secret must have: sample keys made of one letter have none. */
  readonly entropy: number
  /** What else must hold, such as a checksum; a number replaces the confidence. */
  readonly judge?: (secret: string) => boolean | number
}

const ROWS = readTable('secret-rules.json', rows, {
  id: 'text',
  /** What a token of its own begins with, as it is, or as a pattern; and what follows. */
  prefix: 'text?',
  start: 'pattern?',
  body: 'pattern?',
  /** In place of these. */
  pattern: 'pattern?',
  flags: 'text?',
  hints: 'texts?',
  hintAt: 'numbers?',
  minRun: 'number?',
  confidence: 'number?',
  entropy: 'number?',
  /** What the secret must match, beside its pattern. */
  has: 'pattern?',
  /** One of `JUDGES`. */
  judge: 'text?',
})

type Row = (typeof ROWS)[number]

const JUDGES: Readonly<Record<string, (secret: string) => boolean | number>> = {
  /** It ends in a checksum of itself: one that fits is certain, one that does not may be a sample. */
  checksum: token => (crc62(token.slice(token.indexOf('_') + 1, -6)) === token.slice(-6) ? 1 : 0.85),
  'web-token': token => token.split('.', 2).every(isJsonHead),
  'encoded-web-token': token =>
    isJsonHead(Buffer.from(token.slice(0, 400), 'base64').toString('latin1').split('.', 1)[0] ?? ''),
  /** A whole key is long, and then it is random; a short one is an encrypted password, of any look. */
  'encrypted-or-random': token => token.length < 40 || entropyOf(token) > 3.5,
}

/** As much as tells JSON from letters that happen to start like it. */
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

/** Our own table (FACTS §5): formats as their makers publish them, with checksums where they have one. */
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

/** Not from inside a word, and no longer than a token is. */
function patternOf({ id, prefix, start = prefix?.replaceAll('.', '\\.'), body = '' }: Row): string {
  const kind = /^\[[^\]]+\](?=\{)/.exec(body)?.[0]
  if (start === undefined || kind === undefined)
    throw new Error(`secret-rules.json: ${id} has neither a pattern nor a prefix and a body`)
  return `(?<![A-Za-z0-9])${start}${body}(?!${kind})`
}

function judgeOf({ id, has, judge }: Row): SecretRule['judge'] {
  if (judge !== undefined && JUDGES[judge] === undefined)
    throw new Error(`secret-rules.json: ${id}: there is no judge "${judge}"`)
  const pattern = has === undefined ? undefined : new RegExp(has)
  return judge === undefined ? pattern && (secret => pattern.test(secret)) : JUDGES[judge]
}
