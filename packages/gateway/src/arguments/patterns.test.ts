import fc from 'fast-check'
import { RE2JS } from 're2js'
import { describe, expect, it } from 'vitest'
import { BUDGET, Budget } from './budget.ts'
import { NO, UNKNOWN, YES } from './kinds.ts'
import { Patterns, translatePattern } from './patterns.ts'

function matches(source: string, text: string): number {
  return new Patterns().matches(source, text, new Budget())
}

describe('patterns', () => {
  it.each([
    ['(a+)+$', `${'a'.repeat(50_000)}!`],
    ['(a|aa)+$', `${'a'.repeat(50_000)}!`],
    ['^(([a-z])+.)+[A-Z]([a-z])+$', 'a'.repeat(50_000)],
    ['([a-zA-Z]+)*$', `${'a'.repeat(50_000)}!`],
    ['^(\\w+\\s?)*$', `${'ab '.repeat(16_000)}!`],
    ['(x+x+)+y', 'x'.repeat(50_000)],
    ['(.*a){12}$', 'a'.repeat(20_000).concat('!')],
    ['^(?:a?){20}a{20}$', 'a'.repeat(50_000)],
    ['[ab]*a[ab]{12}$', 'ab'.repeat(25_000).concat('!')],
  ])('that exhaust a backtracking engine are matched: %s', (source, text) => {
    const expected = source === '([a-zA-Z]+)*$' ? YES : NO
    expect(matches(source, text)).toBe(expected)
  })

  it.each([
    '(?=a)',
    '(?!a)a',
    '(?<=a)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<n>a)\\k<n>',
    '(?P=n)',
    'a\\Z',
    '\\Aa',
    '\\z',
    '\\Qa\\E',
  ])('that RE2 does not support, or engines read differently, are not checked: %s', source => {
    expect(matches(source, 'a')).toBe(UNKNOWN)
  })

  it.each([
    '(',
    'a**',
    '[z-a]',
    'a{2,1}',
    '[a',
    '[]',
    '[^]',
    'a\\',
    '\\u{110000}',
    '\\ud83d',
    '{,3}',
    '\\p{Nobody}',
  ])('that are invalid are not checked: %s', source => {
    expect(matches(source, 'a')).toBe(UNKNOWN)
  })

  it.each([
    ['\\s', '\u00a0', YES],
    ['[\\s]', '\ufeff', YES],
    ['^\\S$', '\u2003', NO],
    ['^.$', '😀', YES],
    ['^\\u0041\\x42\\cC\\u{1F600}$', 'AB\u0003😀', YES],
    ['^[[:alpha:]]$', 'b', NO],
    ['^[[:alpha:]]+$', ':]', YES],
    ['^[\\b]$', '\b', YES],
    ['^\\p{Lu}\\P{Lu}$', 'Éé', YES],
    ['^(?<year>\\d{4})\\/\\.$', '2024/.', YES],
    ['a$', 'a\n', NO],
  ])('match as in JavaScript: %s', (source, text, expected) => {
    expect(new RegExp(source, source.includes('[[') ? '' : 'u').test(text)).toBe(expected === YES)
    expect(matches(source, text)).toBe(expected)
  })

  it('match as in JavaScript for random patterns', () => {
    const atom = fc.constantFrom(
      'a',
      'b',
      '\\d',
      '\\s',
      '\\S',
      '\\w',
      '\\W',
      '[ab]',
      '[^a\\s]',
      '\\.',
      '\\b',
      '(?:ab|b)',
      '^',
      '$',
      '|',
    )
    const times = fc.constantFrom('', '', '', '?', '*', '+', '{2}', '{1,3}', '{2,}')
    const piece = fc
      .tuple(atom, times)
      .map(([one, many]) => one + (/[\^$|]|\\b/.test(one.slice(0, 2)) ? '' : many))
    const source = fc.array(piece, { maxLength: 6 }).map(pieces => pieces.join(''))
    const text = fc.string({
      unit: fc.constantFrom('a', 'b', '1', ' ', '\u00a0', '\n', '.', 'é'),
      maxLength: 8,
    })
    fc.assert(
      fc.property(source, text, (source, text) => {
        expect(matches(source, text)).toBe(new RegExp(source, 'u').test(text) ? YES : NO)
      }),
      { numRuns: 500 },
    )
  })

  it.each([
    ['loops in loops', '(abcde{30}){30}'.repeat(4)],
    ['a long loop', '(?:abcdefghij){900}'],
    ['many loops', 'a{1000}'.repeat(50)],
    ['many properties of Unicode', '\\p{L}'.repeat(300)],
    ['a property in a loop', '[\\p{L}]{900}'],
    ['a long text', 'x'.repeat(2_001)],
  ])('that would compile to too large a program are not compiled: %s', (_what, source) => {
    const budget = new Budget()
    expect(new Patterns().matches(source, 'a', budget)).toBe(UNKNOWN)
    expect(budget.spent).toBeLessThan(3_000)
  })

  it('cost their compiled size and the length of the text', () => {
    const budget = new Budget()
    const patterns = new Patterns()
    patterns.matches('^a{100}$', 'a'.repeat(1_000), budget)
    const first = budget.spent
    patterns.matches('^a{100}$', 'a'.repeat(1_000), budget)
    const second = budget.spent - first
    expect(first).toBeGreaterThan(10_000)
    expect(second).toBeGreaterThan(1_000)
    expect(second).toBeLessThan(first / 2)
  })

  it('beyond the budget are not checked and leave the rest of the budget', () => {
    const budget = new Budget()
    expect(new Patterns().matches('^a{100}$', 'a'.repeat(1_000_000), budget)).toBe(UNKNOWN)
    expect(budget.spent).toBeLessThan(BUDGET / 2)
  })

  it('match correctly after eviction from the cache and after recompilation', () => {
    const patterns = new Patterns()
    for (let at = 0; at < 300; at++)
      expect(patterns.matches(`^${at % 150}$`, String(at % 150), new Budget())).toBe(YES)
    const long = 'a'.repeat(100_000)
    for (let at = 0; at < 50; at++) expect(patterns.matches('^a+$', long, new Budget())).toBe(YES)
  })

  it('are never estimated at less than half of their compiled size', () => {
    for (const source of ['(ab|cd){20}', '((a{3}b){3}c){3}', '^[a-z]{1,64}$', 'a{10,}', '(?:a?b?){30}'])
      expect(translatePattern(source)?.size).toBeGreaterThan(programSize(source) / 2)
  })
})

function programSize(source: string): number {
  return RE2JS.compile(source).programSize()
}
