import { describe, expect, it } from 'vitest'
import { createPaint } from './output.ts'

describe('colours', () => {
  const red = (isTTY: boolean, env: NodeJS.ProcessEnv) => createPaint({ isTTY }, env)('red', 'x')

  it('appear only on a terminal', () => {
    expect(red(true, {})).toBe('\u001B[31mx\u001B[39m')
    expect(red(false, {})).toBe('x')
  })

  it('are off with NO_COLOR and on a dumb terminal', () => {
    expect(red(true, { NO_COLOR: '1' })).toBe('x')
    expect(red(true, { NO_COLOR: '' })).toBe('\u001B[31mx\u001B[39m')
    expect(red(true, { TERM: 'dumb' })).toBe('x')
  })
})
