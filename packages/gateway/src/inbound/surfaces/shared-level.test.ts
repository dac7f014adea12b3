import { describe, expect, it } from 'vitest'
import { SharedLevel } from './shared-level.ts'

describe('the level of a server that callers share', () => {
  it('is the lowest that anybody wants who is still there', () => {
    const level = new SharedLevel()
    expect(level.want('a', 'debug')).toBe('debug')
    expect(level.want('b', 'emergency')).toBe('debug')
    expect(level.leave('b')).toBeUndefined()
    expect(level.leave('a')).toBe('info')
    expect(level.leave('a')).toBeUndefined()
  })

  it('is low enough for those who never said what they want', () => {
    const level = new SharedLevel()
    expect(level.want('a', 'emergency')).toBe('info')
    expect(level.want('a', 'debug')).toBe('debug')
    expect(level.want('a', 'error')).toBe('info')
  })

  it('is told again to a server that started anew, where anybody had said anything', () => {
    const level = new SharedLevel()
    expect(level.again()).toBeUndefined()
    level.want('a', 'debug')
    expect(level.again()).toBe('debug')
    level.leave('a')
    expect(level.again()).toBeUndefined()
  })
})
