import { redact } from '../text/finding.ts'
import { findSecrets } from './find-secrets.ts'

/** Returns the text with its secrets redacted, or unchanged if it contains none. */
export function maskSecrets(text: string): string {
  const found = findSecrets(text)
  return found.length === 0 ? text : redact(text, found)
}
