import { describe, expect, it } from 'vitest'
import { splitHash } from './hash-location.ts'

describe('splitHash', () => {
  it('splits the hash into path and filters', () => {
    expect(splitHash('#/activity?agent=bot&text=a')).toEqual({
      path: '/activity',
      search: 'agent=bot&text=a',
    })
    expect(splitHash('#/tools')).toEqual({ path: '/tools', search: '' })
  })

  it('gives the overview for an empty hash', () => {
    expect(splitHash('')).toEqual({ path: '/', search: '' })
    expect(splitHash('#')).toEqual({ path: '/', search: '' })
  })
})
