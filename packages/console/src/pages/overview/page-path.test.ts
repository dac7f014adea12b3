import { describe, expect, it } from 'vitest'
import { toPagePath } from './page-path.ts'

describe('the link of an alert', () => {
  it('becomes a console path, with or without #', () => {
    expect(toPagePath('/tools/files/read')).toBe('/tools/files/read')
    expect(toPagePath('#/review')).toBe('/review')
    expect(toPagePath('/#/review?server=a')).toBe('/review?server=a')
  })

  it('never leaves the console', () => {
    expect(toPagePath('javascript:alert(1)')).toBe('/')
    expect(toPagePath('//evil.example')).toBe('/')
    expect(toPagePath('https://evil.example')).toBe('/')
  })
})
