import { describe, expect, it } from 'vitest'
import { parseScope } from '../terminal/token-flags.ts'
import { showConfirm, showRate } from './run-tokens.ts'

describe('the scope of a token, as shown', () => {
  it.each([
    ['10/1m', '10/m'],
    ['5/10s', '5/10s'],
    ['1000/h', '1000/h'],
    ['7/90s', '7/90s'],
    ['3/1500ms', '3/1500ms'],
  ])('shows the rate %s as %s', (given, shown) => {
    expect(showRate(parseScope({ rate: given }).rate ?? { limit: 0, windowMs: 1 })).toBe(shown)
    expect(parseScope({ rate: shown })).toEqual(parseScope({ rate: given }))
  })

  it('shows which calls need approval', () => {
    expect(showConfirm({ write: 'always', destructive: 'never' })).toBe('write=always, destructive=never')
  })
})
