import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSecrets } from './find-secrets.ts'
import { type Finding, settle } from './finding.ts'
import { redact } from './redact.ts'

function finding(rule: string, start: number, end: number, confidence = 0.9): Finding {
  return { rule, start, end, confidence }
}

describe('redacting', () => {
  it('puts the rule in place of the text', () => {
    expect(redact('a secret b', [finding('key', 2, 8)])).toBe('a [redacted:key] b')
    expect(redact('nothing', [])).toBe('nothing')
  })

  it('leaves nothing of findings that overlap', () => {
    expect(redact('0123456789', [finding('b', 4, 8), finding('a', 2, 6)])).toBe('01[redacted:a]89')
  })

  it('keeps the surer of two that overlap', () => {
    expect(settle([finding('weak', 0, 5, 0.5), finding('sure', 3, 6, 0.9)])).toEqual([
      finding('sure', 3, 6, 0.9),
    ])
  })

  it('leaves no secret in the text', () => {
    fc.assert(
      fc.property(fc.string(), fc.string(), (before, after) => {
        const text = `${before} password="Tr0ub4dor&3" ${after}`
        expect(redact(text, findSecrets(text))).not.toContain('Tr0ub4dor&3')
      }),
    )
  })
})
