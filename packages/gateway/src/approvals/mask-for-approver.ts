import { findSecrets } from '../detect/find-secrets.ts'
import type { Finding } from '../detect/finding.ts'
import { redact } from '../detect/redact.ts'

/** What a private key is made of: its first line, perhaps some that describe it, and long lines of base64. */
const KEY =
  /-----BEGIN [A-Z0-9 ]{0,60}-----(?:(?:\s|\\[nr])*[A-Z][A-Za-z-]{2,20}: [\w ,.-]{0,80}(?=\s|\\[nr])){0,5}(?:(?:[\s"'+,]|\\[nr])*[A-Za-z0-9+/=]{16,}){0,300}(?:(?:[\s"'+,]|\\[nr])*[A-Za-z0-9+/=]{0,76}(?:[\s"'+,]|\\[nr])*-----END [A-Z0-9 ]{0,60}-----)?/y
/** Where a command may begin. No secret has a blank in it, and hardly any one of the others. */
const END_OF_WORD = /[\s`|;&<>]|\$\(/g

/**
 * The text without its secrets, for somebody who has to see what is executed: only what can be a secret is left out, and
 * never the rest of a text behind it.
 */
export function maskForApprover(text: string): string {
  const found = findSecrets(text)
  return found.length === 0
    ? text
    : redact(
        text,
        found.map(finding => shorten(finding, text)),
      )
}

function shorten(finding: Finding, text: string): Finding {
  const { start, end } = finding
  if (text.startsWith('-----BEGIN', start)) {
    KEY.lastIndex = start
    return { ...finding, end: Math.min(end, start + (KEY.exec(text)?.[0].length ?? 0)) }
  }
  END_OF_WORD.lastIndex = start
  return { ...finding, end: Math.min(end, END_OF_WORD.exec(text)?.index ?? end) }
}
