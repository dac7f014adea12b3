import { entropyOf } from '../text/entropy.ts'
import type { Finding } from '../text/finding.ts'
import { isCodeName } from '../text/is-code-name.ts'
import { isPlaceholder } from '../text/placeholder.ts'

interface CredentialRule {
  readonly id: string
  /** One of these stands before it, in small letters. */
  readonly hints: readonly string[]
  /** Two groups: what stands before the secret, and the secret. */
  readonly pattern: RegExp
  readonly confidence: number
  readonly judge?: (secret: string, around: Around) => boolean
}

/** What stands before a secret, as its rule has it, and the character behind it. */
interface Around {
  readonly before: string
  readonly behind: string
}

/** Secrets by the place they stand in: addresses, headers, command lines. */
const RULES: readonly CredentialRule[] = [
  {
    id: 'password-in-url',
    hints: ['://'],
    // Behind `/`, `?`, `#` or `\` there is no password: what stands before it was the host, and its port.
    pattern: /(:\/\/[^\s:@/?#\\"'<>]{0,80}:)([^\s:@/?#\\"'<>]{3,120})(?=@[\w[.-])/g,
    confidence: 0.8,
  },
  {
    id: 'authorization-header',
    hints: ['authorization', 'api-key', 'private-token', 'x-auth'],
    pattern:
      /((?:authorization|x-api-key|x-auth-token|private-token|x-auth-key|api-key)["']?\s{0,4}[:=]\s{0,4}["']?(?:bearer |basic |token |apikey |bot )?\s{0,4}["']?)([\w.~+/=:-]{8,400})/gi,
    confidence: 0.8,
    judge: (secret, around) =>
      entropyOf(secret) > (/\d/.test(secret) ? 2.8 : 3.3) && !isFromElsewhere(secret, around),
  },
  {
    id: 'bearer-token',
    hints: ['bearer '],
    pattern: /(bearer )([\w.~+/=-]{20,400})/gi,
    confidence: 0.8,
    judge: secret => /\d/.test(secret) && entropyOf(secret) > 3.3,
  },
  {
    id: 'curl-password',
    hints: ['curl'],
    pattern: /(\s(?:-u|--user|--proxy-user)[\s=]{0,3}["']?[^\s:"']{0,60}["']?:["']?)([^\s"']{3,100})/g,
    confidence: 0.8,
  },
  {
    // A token in place of the user, and no password.
    id: 'curl-password',
    hints: ['curl'],
    pattern: /(\s(?:-u|--user)[\s=]{0,3}["']?)([^\s:"']{8,100})(?=:["']?(?:\s|$))/g,
    confidence: 0.75,
    judge: secret => entropyOf(secret) > 2.8,
  },
]

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

function findAll({ id, pattern, confidence, judge }: CredentialRule, text: string): readonly Finding[] {
  const found: Finding[] = []
  for (const { 1: before = '', 2: secret = '', index } of text.matchAll(pattern)) {
    const start = index + before.length
    const behind = text.charAt(start + secret.length)
    if (isPlaceholder(secret) || judge?.(secret, { before, behind }) === false) continue
    if (found.length === MAX_FOUND) {
      // Nobody sends so many; the rest is taken for more of them.
      found.push({ rule: id, start, end: text.length, confidence })
      break
    }
    found.push({ rule: id, start, end: start + secret.length, confidence })
  }
  return found
}
