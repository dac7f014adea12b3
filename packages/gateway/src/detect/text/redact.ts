import type { Finding } from './finding.ts'

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
