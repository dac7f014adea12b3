import { entropyOf } from '../text/entropy.ts'
import type { Finding } from '../text/finding.ts'
import { isCodeName } from '../text/is-code-name.ts'
import { isPlaceholder } from '../text/looks.ts'
import { readTable } from '../text/read-table.ts'
import rows from './credential-rules.json' with { type: 'json' }

/** The text before a secret, as matched by the secret's rule, and the character after the secret. */
interface Context {
  readonly before: string
  readonly after: string
}

const JUDGES: Readonly<Record<string, (secret: string, context: Context) => boolean>> = {
  header: (secret, context) =>
    entropyOf(secret) > (/\d/.test(secret) ? 2.8 : 3.3) && !isReference(secret, context),
  bearer: secret => /\d/.test(secret) && entropyOf(secret) > 3.3,
  random: secret => entropyOf(secret) > 2.8,
}

/** Rules that recognise secrets by their context: URLs, headers and command lines. */
const RULES = readTable('credential-rules.json', rows, {
  id: 'text',
  note: 'text?',
  /** Lower-case strings, one of which the text must contain. */
  hints: 'texts',
  /** A pattern with two groups: the text before the secret, and the secret. */
  pattern: 'pattern',
  flags: 'text?',
  confidence: 'number',
  judge: 'text?',
}).map(row => {
  const judge = row.judge === undefined ? () => true : JUDGES[row.judge]
  if (judge === undefined) throw new Error(`credential-rules.json: unknown judge "${row.judge}"`)
  return { ...row, pattern: new RegExp(row.pattern, `g${row.flags ?? ''}`), judge }
})

/**
 * Matches the start of an assignment in code, with neither a quote nor a scheme before the value. Code quotes header
 * names, because they contain dashes.
 */
const IN_CODE = /(?:authorization["']?|-(?:key|token)["'])\s*[:=]\s*$/i
const IN_EXPRESSION = /[,;()]/

/**
 * True if the value is a reference in code, as in `authorization: options.authorization`. A plain word at the end of a
 * line is not, because it can be a header's value.
 */
function isReference(secret: string, { before, after }: Context): boolean {
  if (!IN_CODE.test(before) || !isCodeName(secret)) return false
  return secret.includes('.') || IN_EXPRESSION.test(after)
}

const ANY_HINT = new RegExp(RULES.flatMap(({ hints }) => hints).join('|'), 'i')
const NONE: readonly Finding[] = []
const MAX_FOUND = 20_000

/** Finds passwords and tokens in the syntax of protocols and command lines. */
export function findCredentials(text: string): readonly Finding[] {
  if (!ANY_HINT.test(text)) return NONE
  const lowered = text.toLowerCase()
  return RULES.flatMap(rule => (rule.hints.some(hint => lowered.includes(hint)) ? findAll(rule, text) : []))
}

function findAll(
  { id, pattern, confidence, judge }: (typeof RULES)[number],
  text: string,
): readonly Finding[] {
  const found: Finding[] = []
  for (const { 1: before = '', 2: secret = '', index } of text.matchAll(pattern)) {
    const start = index + before.length
    const after = text.charAt(start + secret.length)
    if (isPlaceholder(secret) || !judge(secret, { before, after })) continue
    if (found.length === MAX_FOUND) {
      // Only hostile text has so many candidates. The rest of it counts as a secret.
      found.push({ rule: id, start, end: text.length, confidence })
      break
    }
    found.push({ rule: id, start, end: start + secret.length, confidence })
  }
  return found
}
