import { foldText, toOriginalSpan } from './fold-text.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

export const OTHER_TOOL_RULES = {
  sameName: {
    id: 'same-name',
    severity: 'medium',
    reason: 'has the name of another server’s tool',
  },
  lookAlikeName: {
    id: 'look-alike-name',
    severity: 'high',
    reason: 'looks like the name of another server’s tool, but is not the same',
  },
  named: { id: 'names-other-tool', severity: 'medium', reason: 'mentions a tool of another server' },
  directed: {
    id: 'directs-other-tool',
    severity: 'high',
    reason: 'says when or how to use a tool of another server',
  },
} as const satisfies Record<string, ScanRule>

/** Minimum length of a name to look for. Shorter or plain words, such as "search", may be ordinary words. */
const MIN_NAME = 5
const MAX_FINDINGS = 5
/** Number of characters before a tool's name in which an instruction about that tool is looked for. */
const NEAR = 40
const VERBS = 'call|use|using|invok|run|replac|overrid|modif|intercept|instead'
const TIMES = 'when|whenever|before|after'
const DIRECTION = new RegExp(`\\b(?:(?:${VERBS})[a-z]{0,4}|${TIMES})\\b[^.!?]{0,40}$`)

/** Names of other servers' tools by their normalised form. */
export type OtherTools = ReadonlyMap<string, string>

/**
 * Reads names or `server:tool` ids of other servers' tools. Ids with the tool's own server are skipped, and so are
 * names that this server uses too, because tools of one server often mention each other.
 */
export function readOtherTools(names: readonly string[], server: string | undefined): OtherTools {
  const others = new Map<string, string>()
  const own = new Set<string>()
  for (const id of names) {
    const colon = id.indexOf(':')
    const name = id.slice(colon + 1)
    if (server !== undefined && colon >= 0 && id.slice(0, colon) === server) own.add(toKey(name))
    else others.set(toKey(name), name)
  }
  for (const key of own) others.delete(key)
  return others
}

/**
 * Normalises a name to letters and digits with look-alikes folded: `send-email`, `sendEmail` and `sеnd_email` become
 * equal.
 */
function toKey(name: string): string {
  return foldText(name).folded.replaceAll(/[^\p{L}\p{N}]/gu, '')
}

export function judgeToolName(name: string, others: OtherTools): readonly TextFinding[] {
  const other = others.get(toKey(name))
  if (other === undefined) return []
  const isPlain =
    foldText(name).folded === name.toLowerCase() && foldText(other).folded === other.toLowerCase()
  return [toFinding(isPlain ? OTHER_TOOL_RULES.sameName : OTHER_TOOL_RULES.lookAlikeName, [0, name.length])]
}

function isIdentifier(text: string, [start, end]: TextFinding['span']): boolean {
  return (
    /[_.-]|\p{Ll}\p{Lu}/u.test(text.slice(start, end)) ||
    /[`"']/.test(text.slice(Math.max(0, start - 1), start))
  )
}

/** Finds other servers' tools that a text mentions, as an identifier or in quotation marks. */
export function findOtherTools(text: string, others: OtherTools): readonly TextFinding[] {
  if (others.size === 0) return []
  const found: TextFinding[] = []
  const folded = foldText(text)
  for (const { 0: word, index } of folded.folded.matchAll(/[\p{L}\p{N}]+(?:[_.-][\p{L}\p{N}]+){0,12}/gu)) {
    if (word.length < MIN_NAME || !others.has(toKey(word))) continue
    const span = toOriginalSpan(folded, index, index + word.length)
    if (!isIdentifier(text, span)) continue
    const before = folded.folded.slice(Math.max(0, index - NEAR), index)
    found.push(toFinding(DIRECTION.test(before) ? OTHER_TOOL_RULES.directed : OTHER_TOOL_RULES.named, span))
    if (found.length === MAX_FINDINGS) break
  }
  return found
}
