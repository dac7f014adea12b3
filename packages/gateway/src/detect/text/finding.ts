export interface TextRange {
  readonly start: number
  readonly end: number
}

/** A finding by position. It never contains the text itself, because findings are logged and forwarded. */
export interface Finding extends TextRange {
  /** Stable name, such as `github-token`. */
  readonly rule: string
  /** 0 to 1; act on it from `LIKELY` on. */
  readonly confidence: number
}

/** From this confidence on, a finding is more likely right than wrong. */
export const LIKELY = 0.5

/** From this confidence on, a finding is almost never wrong. */
export const SURE = 0.8

/**
 * Sorts findings and merges overlapping ones into one range with the rule of the most confident (or longer) finding. A key
 * may contain a token: a more confident token must not shorten the range of the key.
 *
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

/** Merges two overlapping findings in order. */
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
 * Replaces every finding by the name of its rule. Overlapping findings count as one range, so that nothing of either is
 * left.
 *
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
