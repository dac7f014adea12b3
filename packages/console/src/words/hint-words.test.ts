import { describe, expect, it } from 'vitest'
import { fromWire, toneOf } from './hint-words.ts'

describe('the colour of a hint', () => {
  it('is red for destructive, yellow for risky and green for safe values', () => {
    expect(toneOf('destructive', true)).toBe('bad')
    expect(toneOf('egress', true)).toBe('warn')
    expect(toneOf('reversible', false)).toBe('warn')
    expect(toneOf('readOnly', false)).toBe('neutral')
    expect(toneOf('readOnly', true)).toBe('good')
    expect(toneOf('openWorld', false)).toBe('good')
  })

  it('is found by its wire name', () => {
    expect(fromWire('openWorldHint')).toBe('openWorld')
    expect(fromWire('constructor')).toBeUndefined()
  })
})
