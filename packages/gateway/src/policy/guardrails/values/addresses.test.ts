import { describe, expect, it } from 'vitest'
import { createAddressSet } from './addresses.ts'

describe('createAddressSet()', () => {
  it('matches names and domains exactly, or by patterns with `*`', () => {
    const has = createAddressSet([
      { local: 'ada', domain: 'example.com' },
      { local: 'press*', domain: 'example.com' },
      { local: '*', domain: '*.partner.org' },
    ])
    const listed = ['ada@example.com', 'press-2@example.com', 'x@a.partner.org', 'x@a.b.partner.org']
    const others = ['bob@example.com', 'ada@a.example.com', 'x@partner.org', 'x@notpartner.org', 'ada@com']
    const fits = (written: string) => {
      const [local = '', domain = ''] = written.split('@')
      return has({ local, domain })
    }
    expect(listed.filter(fits)).toEqual(listed)
    expect(others.filter(fits)).toEqual([])
  })

  it('compiles the patterns once, not per address', () => {
    let reads = 0
    const pattern = (at: number) => ({
      get local() {
        reads += 1
        return `press${at}*`
      },
      get domain() {
        reads += 1
        return '*.example'
      },
    })
    const has = createAddressSet(Array.from({ length: 50 }, (_, at) => pattern(at)))
    const once = reads
    for (let at = 0; at < 1000; at += 1) has({ local: `a${at}`, domain: 'b.example' })
    expect(reads).toBe(once)
  })
})
