import { describe, expect, it } from 'vitest'
import { readCode, takeCode } from './take-code.ts'

describe('a sign-in link', () => {
  it('gives its code and removes it from the history', () => {
    const replaced: unknown[] = []
    const history = { replaceState: (_: unknown, __: string, url: unknown) => void replaced.push(url) }
    expect(takeCode({ hash: '#code=hg_x-1', pathname: '/' }, history)).toBe('hg_x-1')
    expect(replaced).toEqual(['/#/'])
  })

  it('is not recognised on other pages', () => {
    const history = { replaceState: () => expect.unreachable() }
    expect(takeCode({ hash: '#/tools?query=code=1', pathname: '/' }, history)).toBeUndefined()
  })

  it('can be pasted as a whole', () => {
    expect(readCode('open http://127.0.0.1:4428/#code=abc please')).toBe('abc')
    expect(readCode('abc')).toBeUndefined()
  })
})
