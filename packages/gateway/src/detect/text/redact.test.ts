import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { findSecrets } from '../secrets/find-secrets.ts'
import { maskSecrets } from '../secrets/mask-secrets.ts'
import { crc62 } from './checksums.ts'
import { type Finding, redact, settle } from './finding.ts'

function finding(rule: string, start: number, end: number, confidence = 0.9): Finding {
  return { rule, start, end, confidence }
}

describe('redact() and settle()', () => {
  it('replaces the text by the rule', () => {
    expect(redact('a secret b', [finding('key', 2, 8)])).toBe('a [redacted:key] b')
    expect(redact('nothing', [])).toBe('nothing')
  })

  it('leaves nothing of overlapping findings', () => {
    expect(redact('0123456789', [finding('b', 4, 8), finding('a', 2, 6)])).toBe('01[redacted:a]89')
  })

  it('merges overlapping findings under the most confident rule', () => {
    const inner = finding('token', 3, 6, 1)
    expect(settle([finding('key', 0, 9, 0.9), inner])).toEqual([finding('token', 0, 9, 1)])
    expect(settle([finding('weak', 0, 5, 0.5), finding('sure', 3, 6, 0.9)])).toEqual([
      finding('sure', 0, 6, 0.9),
    ])
    expect(settle([finding('sure', 0, 5, 0.9), finding('weak', 3, 6, 0.5), finding('next', 6, 8)])).toEqual([
      finding('sure', 0, 6, 0.9),
      finding('next', 6, 8),
    ])
    expect(settle([finding('c', 4, 9, 1), finding('b', 2, 6), finding('a', 0, 3)])).toEqual([
      finding('c', 0, 9, 1),
    ])
  })

  it('leaves nothing of a secret that contains another secret', () => {
    const token = ['ghp', 'aB3dE5fG7hI9jK1lM2nO4pQ6rS8tU0'].join('_')
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\n'
    const key = `-----BEGIN PRIVATE KEY-----\n${line.repeat(8)}${token}${crc62(token.slice(4))}\n-----END PRIVATE KEY-----`
    expect(maskSecrets(`a ${key} b`)).toBe('a [redacted:github-token] b')
    const pair = ['AKIA', 'IOSFODNN7EXAMPLQ:wJalrXUtnFEMI7K7MDENGbPxRfiCYzzz9KEY'].join('')
    expect(maskSecrets(`api_key="${pair}"`)).toMatch(/^api_key="\[redacted:[\w-]+\]"$/)
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
