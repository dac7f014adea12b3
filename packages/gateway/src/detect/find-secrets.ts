import { chooseRules } from './choose-rules.ts'
import { entropyOf } from './entropy.ts'
import { findAssignments } from './find-assignments.ts'
import { findCredentials } from './find-credentials.ts'
import { findPrivateKeys } from './find-private-keys.ts'
import { type Finding, settle } from './finding.ts'
import type { SecretRule } from './secret-rule.ts'

export type SecretFinding = Finding

/** No secret of the table is shorter. */
const MIN_RUN = 12
const NONE: readonly SecretFinding[] = []
const BLANK = 0x20
/** `=`, `:` and `%`, one of which stands before every secret that has a name. */
const SIGNS: ReadonlySet<number> = new Set([0x3d, 0x3a, 0x25])

/**
 * Keys, tokens and passwords in a text, where they are and how sure that is. Time grows with the length of
 * the text and with nothing else; most texts hold no rule's hint and cost one pass over their characters.
 *
 * @example
 * findSecrets('nothing to see') // => []
 */
export function findSecrets(text: string): readonly SecretFinding[] {
  const look = glance(text)
  if (!look.hasRun && !look.hasSign) return NONE
  const found: Finding[] = []
  if (look.hasRun) {
    for (const rule of chooseRules(text, MIN_RUN)) collect(rule, text, found)
    found.push(...findPrivateKeys(text))
  }
  found.push(...findCredentials(text))
  if (look.hasSign) found.push(...findAssignments(text))
  return settle(found)
}

/** Every secret is a long run without blanks, or stands behind a sign. Plain sentences have neither. */
function glance(text: string): { readonly hasRun: boolean; readonly hasSign: boolean } {
  let hasRun = false
  let hasSign = false
  let start = 0
  for (let at = 0; at < text.length && !(hasRun && hasSign); at += 1) {
    const code = text.charCodeAt(at)
    if (code <= BLANK) start = at + 1
    else if (at - start >= MIN_RUN) hasRun = true
    if (code < 0x40 && SIGNS.has(code)) hasSign = true
  }
  return { hasRun, hasSign }
}

function collect(rule: SecretRule, text: string, found: Finding[]): void {
  for (const match of text.matchAll(rule.pattern)) {
    const secret = match[1] ?? match[0]
    if (rule.entropy !== undefined && entropyOf(secret) < rule.entropy) continue
    const judged = rule.judge?.(secret) ?? true
    if (judged === false) continue
    const start = match.index + match[0].length - secret.length
    const confidence = judged === true ? rule.confidence : judged
    found.push({ rule: rule.id, start, end: start + secret.length, confidence })
  }
}
