import { entropyOf } from '../text/entropy.ts'
import type { Finding } from '../text/finding.ts'
import { isCodeName } from '../text/is-code-name.ts'
import { isPlaceholder } from '../text/looks.ts'
import { readTable } from '../text/read-table.ts'
import rows from './credential-rules.json' with { type: 'json' }

/** What stands before a secret, as its rule has it, and the character behind it. */
interface Around {
  readonly before: string
  readonly behind: string
}

const JUDGES: Readonly<Record<string, (secret: string, around: Around) => boolean>> = {
  header: (secret, around) =>
    entropyOf(secret) > (/\d/.test(secret) ? 2.8 : 3.3) && !isFromElsewhere(secret, around),
  bearer: secret => /\d/.test(secret) && entropyOf(secret) > 3.3,
  random: secret => entropyOf(secret) > 2.8,
}

/** Secrets by the place they stand in: addresses, headers, command lines. */
const RULES = readTable('credential-rules.json', rows, {
  id: 'text',
  note: 'text?',
  /** One of these stands before it, in small letters. */
  hints: 'texts',
  /** Two groups: what stands before the secret, and the secret. */
  pattern: 'pattern',
  flags: 'text?',
  confidence: 'number',
  judge: 'text?',
}).map(row => {
  const judge = row.judge === undefined ? () => true : JUDGES[row.judge]
  if (judge === undefined) throw new Error(`credential-rules.json: there is no judge "${row.judge}"`)
  return { ...row, pattern: new RegExp(row.pattern, `g${row.flags ?? ''}`), judge }
})

/** As code writes it, with neither a quote nor a scheme before the value. Headers have dashes in their names, which code has in quotes. */
const IN_CODE = /(?:authorization["']?|-(?:key|token)["'])\s*[:=]\s*$/i
const IN_EXPRESSION = /[,;()]/

/** Whether code says where the value comes from: `authorization: options.authorization`. A word at the end of a line may be a header's. */
function isFromElsewhere(secret: string, { before, behind }: Around): boolean {
  if (!IN_CODE.test(before) || !isCodeName(secret)) return false
  return secret.includes('.') || IN_EXPRESSION.test(behind)
}

const ANY_HINT = new RegExp(RULES.flatMap(({ hints }) => hints).join('|'), 'i')
const NONE: readonly Finding[] = []
const MAX_FOUND = 20_000

/** Passwords and tokens where protocols and command lines put them. */
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
    const behind = text.charAt(start + secret.length)
    if (isPlaceholder(secret) || !judge(secret, { before, behind })) continue
    if (found.length === MAX_FOUND) {
      // Nobody sends so many; the rest is taken for more of them.
      found.push({ rule: id, start, end: text.length, confidence })
      break
    }
    found.push({ rule: id, start, end: start + secret.length, confidence })
  }
  return found
}
