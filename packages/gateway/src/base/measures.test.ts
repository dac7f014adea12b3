import { describe, expect, it } from 'vitest'
import { parseDuration, parseMoment, parseSize } from './measures.ts'

describe('measures', () => {
  it.each([
    ['30s', 30_000],
    ['5m', 300_000],
    ['5min', 300_000],
    ['30d', 2_592_000_000],
    ['1.5h', 5_400_000],
    ['2w', 1_209_600_000],
    ['250ms', 250],
    [' 30 S ', 30_000],
    [1000, 1000],
    ['1000', 1000],
    ['', undefined],
    ['s', undefined],
    ['-5s', undefined],
    ['5 s s', undefined],
    ['5y', undefined],
    ['1e3', undefined],
    [Number.NaN, undefined],
    [Infinity, undefined],
    [-1, undefined],
    ['999999999999999w', undefined],
  ])('parses the duration %j as %j ms', (text, expected) => {
    expect(parseDuration(text)).toBe(expected)
  })

  it.each([
    ['4mb', 4_194_304],
    ['16 KB', 16_384],
    ['16KiB', 16_384],
    ['1gb', 1_073_741_824],
    ['12b', 12],
    [7, 7],
    ['4m', undefined],
    ['mb', undefined],
  ])('parses the size %j as %j bytes', (text, expected) => {
    expect(parseSize(text)).toBe(expected)
  })

  it.each([
    ['2027-01-31', Date.UTC(2027, 1, 1) - 1],
    ['2027-01-31T12:00:00Z', Date.UTC(2027, 0, 31, 12)],
    ['2027-01-31T12:00+02:00', Date.UTC(2027, 0, 31, 10)],
    ['2027-02-29', undefined],
    ['2027-00-10', undefined],
    ['2027-01-31T25:00:00Z', undefined],
    ['2027-01-31T12:00:00', undefined],
    ['31.1.2027', undefined],
  ])('parses the moment %j as %j', (text, expected) => {
    expect(parseMoment(text)).toBe(expected)
  })
})
