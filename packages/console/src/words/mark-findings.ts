/** Part of a text, with the finding about that part if there is one. */
export interface TextSpan {
  readonly text: string
  readonly finding?: Found
}

interface Found {
  readonly start: number
  readonly end: number
  readonly severity: string
  readonly reason: string
}

/**
 * Splits a text where findings start and end. If findings overlap, the first one counts.
 *
 * @example
 * markFindings('abc', [{ start: 1, end: 2, … }]) // 'a', 'b' with the finding, 'c'
 */
export function markFindings(text: string, findings: readonly Found[]): readonly TextSpan[] {
  const spans: TextSpan[] = []
  let at = 0
  for (const finding of findings.toSorted((a, b) => a.start - b.start)) {
    const start = Math.max(at, Math.min(finding.start, text.length))
    const end = Math.min(finding.end, text.length)
    if (end <= start) continue
    if (start > at) spans.push({ text: text.slice(at, start) })
    spans.push({ text: text.slice(start, end), finding })
    at = end
  }
  if (at < text.length) spans.push({ text: text.slice(at) })
  return spans
}
