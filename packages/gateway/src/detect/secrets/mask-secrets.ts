import { redact } from '../text/finding.ts'
import { findSecrets } from './find-secrets.ts'

/** The text with its secrets redacted; unchanged if there are none. */
export function maskSecrets(text: string): string {
  const found = findSecrets(text)
  return found.length === 0 ? text : redact(text, found)
}
