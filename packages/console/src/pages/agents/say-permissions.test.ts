import { describe, expect, it } from 'vitest'
import { sayPermissions } from './say-permissions.ts'

describe('the permissions of a token', () => {
  it('are listed from least to most dangerous', () => {
    expect(sayPermissions({ permissions: ['call_tool_destructive', 'retrieve_tools'] })).toBe(
      'search, destructive',
    )
    expect(sayPermissions({ permissions: [] })).toBe('none')
  })
})
