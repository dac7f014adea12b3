import { findForeignOrders } from './find-foreign-orders.ts'
import { findHiddenCharacters } from './find-hidden-characters.ts'
import { findMarkup } from './find-markup.ts'
import { findPadding } from './find-padding.ts'
import { findPayloads } from './find-payloads.ts'
import { findPhrases } from './find-phrases.ts'
import { foldText } from './fold-text.ts'
import type { FoundText } from './gather-texts.ts'
import { judgeDefault } from './judge-default.ts'
import { findOtherTools, judgeToolName, type OtherTools } from './judge-other-tools.ts'
import { judgePropertyName } from './judge-property-name.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

export const LENGTH_RULES = {
  overLong: {
    id: 'over-long-text',
    severity: 'low',
    reason: 'a text too long for a careful review',
  },
  unread: {
    id: 'unscanned',
    severity: 'high',
    reason: 'more text than the scanner reads, so the rest was not checked',
  },
} as const satisfies Record<string, ScanRule>

/** Maximum number of characters to scan. The longest benign description among four thousand tools has 40,326. */
export const MAX_SCANNED = 65_536
const OVER_LONG = { name: 128, property: 128, default: 4000, text: 8000 } as const

/** Matches a keyword or a short choice such as `string` or `asc`, which is too short to hide anything. */
const PLAIN_WORD = /^[\w.-]{0,15}$/

/** Returns all findings in one string of a definition. */
export function scanText(found: FoundText, others: OtherTools): readonly TextFinding[] {
  const { role, property } = found
  const text = found.text.slice(0, MAX_SCANNED)
  if (PLAIN_WORD.test(text) && (role === 'text' || role === 'default')) return []
  const findings = [...judgeLength(found), ...findHiddenCharacters(text)]
  if (role === 'name')
    return [...findings, ...judgeToolName(text, others), ...findPhrases(foldText(text), true)]
  if (role === 'property') findings.push(...judgePropertyName(text))
  if (role === 'default') findings.push(...judgeDefault(text, property))
  findings.push(
    ...findPhrases(foldText(text)),
    ...findForeignOrders(text),
    ...findMarkup(text),
    ...findPadding(text),
  )
  return [...findings, ...findPayloads(text), ...findOtherTools(text, others)]
}

function judgeLength({ text, role }: FoundText): TextFinding[] {
  if (text.length > MAX_SCANNED) return [toFinding(LENGTH_RULES.unread, [MAX_SCANNED, text.length])]
  return text.length > OVER_LONG[role]
    ? [toFinding(LENGTH_RULES.overLong, [OVER_LONG[role], text.length])]
    : []
}
