import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

/**
 * The most consecutive white space that is normal. More than this fills a screen, and readers do not see the text after
 * it.
 */
const MAX_SPACES = 150
const MAX_LINES = 25
const NEWLINE = 10

export const PADDING_RULE: ScanRule = {
  id: 'padding',
  severity: 'medium',
  reason: 'empty space that pushes the following text out of sight',
}

/**
 * Finds runs of white space between two pieces of text. This is a loop, because a regular expression would take
 * quadratic time.
 */
export function findPadding(text: string): readonly TextFinding[] {
  let start = -1
  let lines = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    // Most characters are visible ASCII, for which comparing the code is enough.
    if ((code <= 32 || code > 126) && text.charAt(at).trim() === '') {
      if (start < 0) {
        start = at
        lines = 0
      }
      if (code === NEWLINE) lines += 1
    } else {
      if (start > 0 && (lines >= MAX_LINES || (lines === 0 && at - start >= MAX_SPACES))) {
        return [toFinding(PADDING_RULE, [start, at])]
      }
      start = -1
    }
  }
  return []
}
