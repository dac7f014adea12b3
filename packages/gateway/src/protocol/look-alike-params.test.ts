import { describe, expect, it } from 'vitest'
import { withoutLookAlikes } from './look-alike-params.ts'

describe('parameters on their way to a server', () => {
  it('are unchanged if every name has one meaning', () => {
    const params = { name: 'read', arguments: { Name: 1 }, _meta: {}, other: 1, names: 2 }
    expect(withoutLookAlikes(params)).toBe(params)
    expect(withoutLookAlikes(undefined)).toBeUndefined()
  })

  it.each([
    'NAME',
    'Arguments',
    '_Meta',
    'requeststate',
    'INPUTRESPONSES',
    'Uri',
    'argument\u017F',
    'Ta\u017FK',
  ])('lose %s, which a server could read as another name', key => {
    expect(withoutLookAlikes({ name: 'read', [key]: 'x', other: 1 })).toEqual({ name: 'read', other: 1 })
  })
})
