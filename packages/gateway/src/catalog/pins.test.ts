import { fingerprint } from '@hintgate/metadata'
import { describe, expect, it } from 'vitest'
import { parseJson } from '../protocol/parse-json.ts'
import { fingerprintOf } from './pins.ts'

/** Creates a definition as a server sends it. */
function sent(account: string, [before, behind] = ['', '']): unknown {
  const schema = `{"properties":{"account":{"default":${account}}}}`
  const text = `{${before}"name":"pay","inputSchema":${schema}${behind}}`
  const parsed = parseJson(text, 100)
  if (!parsed.ok) throw new Error(parsed.reason)
  return parsed.value
}

describe('the fingerprint of a definition', () => {
  it('differs for every digit of a number, including those beyond a double', () => {
    const [zeros, others] = ['1234567890123456000000000000000000', '1234567890123456000000000987654321']
    expect(Number(zeros)).toBe(Number(others))
    expect(fingerprintOf(sent(zeros))).not.toBe(fingerprintOf(sent(others)))
    expect(fingerprintOf(sent(others))).not.toBe(fingerprintOf(sent(`"${others}"`)))
    expect(fingerprintOf(sent(others))).toMatch(/^[0-9a-f]{64}$/)
    expect(fingerprintOf(sent(others))).toBe(fingerprintOf(sent(others)))
  })

  it('follows RFC 8785 for numbers that fit a double, in any notation', () => {
    const [plain, long] = [sent('100'), sent('100000000000000000000')]
    expect(fingerprintOf(plain)).toBe(fingerprint(plain as never))
    expect(fingerprintOf(sent('1.0e2'))).toBe(fingerprintOf(plain))
    expect(fingerprintOf(long)).toBe(fingerprint(long as never))
  })

  it('does not depend on the order of members', () => {
    const number = '12345678901234567'
    const first = fingerprintOf(sent(number, ['"title":"Pays",', '']))
    expect(fingerprintOf(sent(number, ['', ',"title":"Pays"']))).toBe(first)
    expect(fingerprintOf(sent(number))).not.toBe(first)
  })
})
