import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { canonicalJson, fingerprint, NotCanonicalError } from './fingerprint.ts'

const tool = {
  name: 'wipe',
  title: 'Wipe',
  description: 'Wipes.',
  inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
  outputSchema: { type: 'object' },
  annotations: { destructiveHint: true },
  _meta: { 'io.hintgate/hints': { egressHint: false } },
}

describe('fingerprint', () => {
  it('is the SHA-256 of the canonical JSON', () => {
    const expected = createHash('sha256').update(canonicalJson(tool)).digest('hex')
    expect(fingerprint(tool)).toBe(expected)
  })

  it('does not depend on the order of keys', () => {
    fc.assert(
      fc.property(fc.shuffledSubarray(Object.entries(tool), { minLength: 7 }), entries => {
        expect(fingerprint(Object.fromEntries(entries) as typeof tool)).toBe(fingerprint(tool))
      }),
    )
  })

  it.each([
    { name: 'wipe2' },
    { title: 'Wipe!' },
    { description: 'Wipes..' },
    { inputSchema: { type: 'object', properties: { a: { type: 'number' } } } },
    { outputSchema: {} },
    { annotations: { destructiveHint: false } },
    { annotations: {} },
    { _meta: {} },
    { 'x-unknown': 1 },
  ])('changes with %j', change => {
    expect(fingerprint({ ...tool, ...change })).not.toBe(fingerprint(tool))
  })

  it('treats a property that is undefined as absent', () => {
    expect(fingerprint({ ...tool, icons: undefined })).toBe(fingerprint(tool))
  })

  it('throws for a value without a canonical form', () => {
    const cyclic: Record<string, unknown> = {}
    cyclic.a = cyclic
    for (const value of [Number.NaN, '\ud800', cyclic, undefined]) {
      expect(() => canonicalJson(value)).toThrow(NotCanonicalError)
    }
  })

  it('writes numbers, text and keys as RFC 8785 does', () => {
    // The sample in RFC 8785, sections 3.2.2 and 3.2.3.
    const sample = {
      numbers: [JSON.parse('333333333.33333329'), 1e30, 4.5, 2e-3, 1e-27],
      string: '\u20ac$\u000F\u000aA\'\u0042\u0022\u005c\\"/',
      literals: [null, true, false],
    }
    expect(canonicalJson(sample)).toBe(
      '{"literals":[null,true,false],"numbers":[333333333.3333333,1e+30,4.5,0.002,1e-27],"string":"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"}',
    )
    expect(canonicalJson({ '\u20ac': 1, '\r': 2, '1': 3, '😂': 4, ö: 5, '\ufb33': 6 })).toBe(
      '{"\\r":2,"1":3,"ö":5,"€":1,"😂":4,"\ufb33":6}',
    )
  })
})
