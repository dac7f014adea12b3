import { describe, expect, it } from 'vitest'
import { parseEntry } from './parse-entry.ts'

describe('typed JSON', () => {
  it('is undefined unless it is an object', () => {
    expect(parseEntry('{"a":1}')).toEqual({ a: 1 })
    expect(parseEntry('[1]')).toBeUndefined()
    expect(parseEntry('null')).toBeUndefined()
    expect(parseEntry('{"a":')).toBeUndefined()
  })
})
