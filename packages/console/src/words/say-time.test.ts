import { describe, expect, it } from 'vitest'
import { sayAgo, sayBytes, sayDuration, sayLeft } from './say-time.ts'

describe('formatted times', () => {
  it('show relative times in the largest unit that fits', () => {
    expect(sayAgo(0, 2000)).toBe('just now')
    expect(sayAgo(0, 65_000)).toBe('1 min ago')
    expect(sayAgo(0, 3 * 86_400_000)).toBe('3 d ago')
    expect(sayAgo(60_000, 0)).toBe('in 1 min')
  })

  it('count down and stop at zero', () => {
    expect(sayLeft(249_000, 0)).toBe('4:09')
    expect(sayLeft(900, 0)).toBe('0:01')
    expect(sayLeft(0, 5000)).toBe('0:00')
    expect(sayLeft(7_200_000, 0)).toBe('2 h')
  })

  it('show durations and sizes in readable units', () => {
    expect(sayDuration(4.26)).toBe('4.3 ms')
    expect(sayDuration(1530)).toBe('1.53 s')
    expect(sayDuration(undefined)).toBe('–')
    expect(sayBytes(2048)).toBe('2.0 KB')
  })
})
