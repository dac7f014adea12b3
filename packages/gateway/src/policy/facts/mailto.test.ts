import { describe, expect, it } from 'vitest'
import { unwrapMailto } from './mailto.ts'

describe('unwrapMailto()', () => {
  it('lists the recipients before and after the question mark', () => {
    expect(unwrapMailto('mailto:ada%40b.co?subject=x@y.z&cc=bob@b.co')).toBe('ada@b.co,bob@b.co')
  })

  it('finds a recipient next to an invalid escape', () => {
    for (const broken of ['%', '%4', '%zz', '%E0', '%FF%FE'])
      expect(unwrapMailto(`mailto:?x=${broken},eve%40evil.com`), broken).toContain('eve@evil.com')
  })

  it('returns undefined for a link longer than programs open', () => {
    expect(unwrapMailto(`mailto:ada@b.co?body=${'a'.repeat(8000)}`)).toBe('ada@b.co')
    expect(unwrapMailto(`mailto:ada@b.co?body=${'a'.repeat(9000)}`)).toBeUndefined()
  })
})
