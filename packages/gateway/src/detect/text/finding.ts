export interface TextRange {
  readonly start: number
  readonly end: number
}

/**
 * A match of a detector, given by position. A finding never contains the text itself, because findings are logged and
 * forwarded.
 */
export interface Finding extends TextRange {
  /** Stable name of the rule that matched, such as `github-token`. */
  readonly rule: string
  /** The confidence, from 0 to 1. Callers act on findings with a confidence of `LIKELY` or more. */
  readonly confidence: number
}

/** Findings with at least this confidence are more often right than wrong. */
export const LIKELY = 0.5

/** Findings with at least this confidence are almost never wrong. */
export const SURE = 0.8

/**
 * Sorts findings and merges overlapping ones. The merged finding covers both ranges and takes the rule with the higher
 * confidence, or the longer match if both are equal. For example, a private key can contain text that looks like a
 * token: the whole key must stay covered even if the token is the more confident finding.
 * @example
 * settle([{ rule: 'private-key', start: 0, end: 900, confidence: 0.95 }, { rule: 'token', start: 80, end: 120, confidence: 1 }])
 * // => [{ rule: 'token', start: 0, end: 900, confidence: 1 }]
 */
export function settle<F extends Finding>(findings: readonly F[]): readonly F[] {
  if (findings.length < 2) return findings
  const sorted = findings.every(isInOrder) ? findings : findings.toSorted(compare)
  const kept: F[] = []
  for (const finding of sorted) {
    const last = kept.at(-1)
    if (last === undefined || finding.start >= last.end) kept.push(finding)
    else kept[kept.length - 1] = merge(last, finding)
  }
  return kept
}

/** Merges two overlapping findings, the first of which starts first. */
function merge<F extends Finding>(first: F, second: F): F {
  const surer = isSurer(second, first) ? second : first
  return { ...surer, start: first.start, end: Math.max(first.end, second.end) }
}

function compare(a: Finding, b: Finding): number {
  return a.start - b.start || b.end - a.end
}

function isInOrder(finding: Finding, at: number, all: readonly Finding[]): boolean {
  const before = all[at - 1]
  return before === undefined || compare(before, finding) <= 0
}

function isSurer(a: Finding, b: Finding): boolean {
  if (a.confidence !== b.confidence) return a.confidence > b.confidence
  return a.end - a.start > b.end - b.start
}

/**
 * Replaces the text of every finding with the name of its rule. Overlapping findings are merged first, so no part of
 * either remains.
 * @example
 * redact('key AKIA… ok', [{ rule: 'aws-key', start: 4, end: 9, confidence: 1 }]) // => 'key [redacted:aws-key] ok'
 */
export function redact(text: string, findings: readonly Finding[]): string {
  let redacted = ''
  let at = 0
  for (const { rule, start, end } of findings.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start >= at) redacted += `${text.slice(at, start)}[redacted:${rule}]`
    at = Math.max(at, end)
  }
  return redacted + text.slice(at)
}
