import { MARKUP_RULES } from './markup-rules.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

const MAX_PER_RULE = 3

/** Matches closing tags with which a description could break out of the block that contains it. */
const CLOSING =
  /<\/(description|tools?|functions?|system|prompt|context|documents?|data|input|user|results?|instructions?)>/gi

export const BREAKOUT_RULE: ScanRule = {
  id: 'closes-surroundings',
  severity: 'high',
  reason:
    'a closing tag without an opening one, which makes the following text appear to be outside the description',
}

/**
 * Matches the characters that markup, markers and addresses start with. Most strings in a schema contain none of them.
 */
const MARKS = /[<[{:@#*]/

export function findMarkup(text: string): readonly TextFinding[] {
  if (!MARKS.test(text)) return []
  return [...MARKUP_RULES.flatMap(rule => matchRule(rule, text)), ...findBreakout(text)]
}

function matchRule(rule: (typeof MARKUP_RULES)[number], text: string): readonly TextFinding[] {
  const found: TextFinding[] = []
  for (const pattern of rule.patterns) {
    for (const { 0: match, index } of text.matchAll(pattern)) {
      if (found.length === MAX_PER_RULE) return found
      found.push(toFinding(rule, [index, index + match.length]))
    }
  }
  return found
}

function findBreakout(text: string): readonly TextFinding[] {
  const lower = text.toLowerCase()
  const opened = new Map<string, number>()
  for (const { 0: tag, 1: written = '', index } of lower.matchAll(CLOSING)) {
    const first = opened.get(written) ?? lower.indexOf(`<${written}`)
    opened.set(written, first)
    if (first < 0 || first > index) return [toFinding(BREAKOUT_RULE, [index, index + tag.length])]
  }
  return []
}
