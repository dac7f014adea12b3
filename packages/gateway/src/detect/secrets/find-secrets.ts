import { type Finding, settle } from '../text/finding.ts'
import { findAssignments } from './find-assignments.ts'
import { findCredentials } from './find-credentials.ts'
import { findKnownSecrets } from './find-known-secrets.ts'
import { findPrivateKeys } from './find-private-keys.ts'

export type SecretFinding = Finding

/** No secret of the table is shorter. */
const MIN_RUN = 12
const NONE: readonly SecretFinding[] = []
const BLANK = 0x20
/** `=`, `:` and `%`, one of which stands before every secret that has a name. */
const SIGNS: ReadonlySet<number> = new Set([0x3d, 0x3a, 0x25])

/**
 * Keys, tokens and passwords in a text, where they are and how sure that is. Time grows with the length of
 * the text and with nothing else; most texts hold no rule's hint and cost one pass over their characters. Whoever has little time
 * is asked before every dear look; from where there `mayLook` says no, the rest counts as a secret.
 *
 * @example
 * findSecrets('nothing to see') // => []
 */
export function findSecrets(text: string, mayLook = () => true): readonly SecretFinding[] {
  const look = glance(text)
  if (!look.hasRun && !look.hasSign) return NONE
  // Joined, not spread into calls: there may be more than a call can be given.
  const found = [
    ...(look.hasRun ? [...findKnownSecrets(text, MIN_RUN), ...findPrivateKeys(text)] : NONE),
    ...findCredentials(text),
    ...(look.hasSign ? findAssignments(text, mayLook) : NONE),
  ]
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
