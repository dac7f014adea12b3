import { type Finding, settle } from '../text/finding.ts'
import { findAssignments } from './find-assignments.ts'
import { findCredentials } from './find-credentials.ts'
import { findKnownSecrets } from './find-known-secrets.ts'
import { findPrivateKeys } from './find-private-keys.ts'

export type SecretFinding = Finding

/** Length of the shortest secret in the table. */
const MIN_RUN = 12
const NONE: readonly SecretFinding[] = []
const BLANK = 0x20
/** The codes of `=`, `:` and `%`. One of them precedes every secret that is recognised by its name. */
const SIGNS: ReadonlySet<number> = new Set([0x3d, 0x3a, 0x25])

/**
 * Finds keys, tokens and passwords with their positions and confidence. Takes linear time; most texts contain no hint
 * and cost one pass. `mayLook` is called before every expensive check; once it returns false, the rest of the text
 * counts as a secret.
 *
 * @example
 * findSecrets('nothing to see') // => []
 */
export function findSecrets(text: string, mayLook = () => true): readonly SecretFinding[] {
  const quick = scanQuickly(text)
  if (!quick.hasRun && !quick.hasSign) return NONE
  // The lists are joined and not spread into a call, because there can be more findings than a call accepts as
  // arguments.
  const found = [
    ...(quick.hasRun ? [...findKnownSecrets(text, MIN_RUN), ...findPrivateKeys(text)] : NONE),
    ...findCredentials(text),
    ...(quick.hasSign ? findAssignments(text, mayLook) : NONE),
  ]
  return settle(found)
}

/**
 * Checks whether a text can contain secrets. Every secret is a long run without blanks, or follows a separator. Plain
 * sentences have neither.
 */
function scanQuickly(text: string): { readonly hasRun: boolean; readonly hasSign: boolean } {
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
