import { describe, expect, it } from 'vitest'
import { unwrapMailto } from './mailto.ts'

describe('whom a mailto link writes to', () => {
  it('is everybody whom it names, before the question mark and behind it', () => {
    expect(unwrapMailto('mailto:ada%40b.co?subject=x@y.z&cc=bob@b.co')).toBe('ada@b.co,bob@b.co')
  })

  it('is not hidden by an escape beside it that is none', () => {
    for (const broken of ['%', '%4', '%zz', '%E0', '%FF%FE'])
      expect(unwrapMailto(`mailto:?x=${broken},eve%40evil.com`), broken).toContain('eve@evil.com')
  })

  it('is not looked for in a link that no program opens', () => {
    expect(unwrapMailto(`mailto:ada@b.co?body=${'a'.repeat(8000)}`)).toBe('ada@b.co')
    expect(unwrapMailto(`mailto:ada@b.co?body=${'a'.repeat(9000)}`)).toBeUndefined()
  })
})
