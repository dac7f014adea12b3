import { describe, expect, it } from 'vitest'
import { SharedLevel } from './shared-level.ts'

describe('the log level of a shared server', () => {
  it('is the lowest that any connected caller wants', () => {
    const level = new SharedLevel()
    expect(level.request('a', 'debug')).toBe('debug')
    expect(level.request('b', 'emergency')).toBe('debug')
    expect(level.release('b')).toBeUndefined()
    expect(level.release('a')).toBe('info')
    expect(level.release('a')).toBeUndefined()
  })

  it('is low enough for callers that never set a level', () => {
    const level = new SharedLevel()
    expect(level.request('a', 'emergency')).toBe('info')
    expect(level.request('a', 'debug')).toBe('debug')
    expect(level.request('a', 'error')).toBe('info')
  })

  it('is sent again to a server that restarted, if a caller set one', () => {
    const level = new SharedLevel()
    expect(level.current()).toBeUndefined()
    level.request('a', 'debug')
    expect(level.current()).toBe('debug')
    level.release('a')
    expect(level.current()).toBeUndefined()
  })
})
