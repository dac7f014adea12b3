import { describe, expect, it } from 'vitest'
import { sayPermissions } from './say-permissions.ts'

describe('what a token may do', () => {
  it('is said from harmless to dangerous', () => {
    expect(sayPermissions({ permissions: ['call_tool_destructive', 'retrieve_tools'] })).toBe(
      'search, destructive',
    )
    expect(sayPermissions({ permissions: [] })).toBe('none')
  })
})
