import { describe, expect, it } from 'vitest'
import { splitHash } from './hash-location.ts'

describe('the part behind the #', () => {
  it('is a path and its filters', () => {
    expect(splitHash('#/activity?agent=bot&text=a')).toEqual({
      path: '/activity',
      search: 'agent=bot&text=a',
    })
    expect(splitHash('#/tools')).toEqual({ path: '/tools', search: '' })
  })

  it('is the first page when there is nothing', () => {
    expect(splitHash('')).toEqual({ path: '/', search: '' })
    expect(splitHash('#')).toEqual({ path: '/', search: '' })
  })
})
