import { describe, expect, it } from 'vitest'
import { formatPermissions } from './format-permissions.ts'

describe('the permissions of a token', () => {
  it('are listed from least to most dangerous', () => {
    expect(formatPermissions({ permissions: ['call_tool_destructive', 'retrieve_tools'] })).toBe(
      'search, destructive',
    )
    expect(formatPermissions({ permissions: [] })).toBe('none')
  })
})
