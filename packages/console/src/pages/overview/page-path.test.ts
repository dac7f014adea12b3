import { describe, expect, it } from 'vitest'
import { toPagePath } from './page-path.ts'

describe('a link of an alert', () => {
  it('leads to a page of the console, however it is written', () => {
    expect(toPagePath('/tools/files/read')).toBe('/tools/files/read')
    expect(toPagePath('#/review')).toBe('/review')
    expect(toPagePath('/#/review?server=a')).toBe('/review?server=a')
  })

  it('never leads anywhere else', () => {
    expect(toPagePath('javascript:alert(1)')).toBe('/')
    expect(toPagePath('//evil.example')).toBe('/')
    expect(toPagePath('https://evil.example')).toBe('/')
  })
})
