export interface Stretch {
  readonly start: number
  readonly end: number
}

/** By place alone: findings are logged and sent around, so they never hold the text itself. */
export interface Finding extends Stretch {
  /** Stable name, such as `github-token`. */
  readonly rule: string
  /** 0 to 1; from `LIKELY` on it is worth acting upon. */
  readonly confidence: number
}

/** From here on a finding is more likely right than wrong. */
export const LIKELY = 0.5

/** From here on it is hardly ever wrong. */
export const SURE = 0.8

/**
 * In order of place, and of those that overlap one, as long as all of them together, by the name of the surest (of the
 * longer of two that are equally sure). A key may have a token in it: whoever is surer of the token must not uncover the key.
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

/** Of two that overlap, the first of which begins no later. */
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
 * The text with every finding replaced by its rule's name. Findings that overlap are taken for one stretch,
 * so that nothing of either is left.
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
