import { describe, expect, it } from 'vitest'
import { toQuery } from './tool-query.ts'

describe('filters in the address of the tools page', () => {
  it('become a query', () => {
    expect(toQuery({ query: 'delete', state: 'changed', sort: '-risk', hint: 'destructive=true' })).toEqual({
      query: 'delete',
      state: 'changed',
      sort: '-risk',
      hint: 'destructive=true',
    })
  })

  it('are left out when they are unknown', () => {
    expect(toQuery({ state: 'odd', variant: '<b>', other: '1' })).toEqual({})
  })
})
