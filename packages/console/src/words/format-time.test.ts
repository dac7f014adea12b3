import { describe, expect, it } from 'vitest'
import { formatAgo, formatBytes, formatDuration, formatTimeLeft } from './format-time.ts'

describe('formatted times', () => {
  it('show relative times in the largest unit that fits', () => {
    expect(formatAgo(0, 2000)).toBe('just now')
    expect(formatAgo(0, 65_000)).toBe('1 min ago')
    expect(formatAgo(0, 3 * 86_400_000)).toBe('3 d ago')
    expect(formatAgo(60_000, 0)).toBe('in 1 min')
  })

  it('count down and stop at zero', () => {
    expect(formatTimeLeft(249_000, 0)).toBe('4:09')
    expect(formatTimeLeft(900, 0)).toBe('0:01')
    expect(formatTimeLeft(0, 5000)).toBe('0:00')
    expect(formatTimeLeft(7_200_000, 0)).toBe('2 h')
  })

  it('show durations and sizes in readable units', () => {
    expect(formatDuration(4.26)).toBe('4.3 ms')
    expect(formatDuration(1530)).toBe('1.53 s')
    expect(formatDuration(undefined)).toBe('–')
    expect(formatBytes(2048)).toBe('2.0 KB')
  })
})
