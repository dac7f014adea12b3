import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { actionSentence } from './action-sentence.ts'
import { displayTitle, humaniseName } from './title.ts'
import { showUntrusted } from './untrusted-text.ts'

const fill = (template: string, args: unknown) => actionSentence({ template, title: 'Title', args })

describe('actionSentence', () => {
  it('fills in scalar arguments', () => {
    const template = 'Sent email to {to} with subject "{subject}"'
    expect(fill(template, { to: 'ada@example.com', subject: 'Hi' })).toBe(
      'Sent email to ada@example.com with subject "Hi"',
    )
    expect(fill('{n} {b}', { n: 3, b: false })).toBe('3 false')
  })

  it.each([
    [{}],
    [{ to: null }],
    [{ to: [{ a: 1 }, ['a']] }],
    [{ to: { a: 1 } }],
    [undefined],
    ['text'],
    [[]],
  ])('shows … for %j', args => {
    expect(fill('to {to}', args)).toBe('to …')
  })

  it('shows the elements of a list, up to three', () => {
    expect(fill('to {to}', { to: ['ada@example.com'] })).toBe('to ada@example.com')
    expect(fill('to {to}', { to: ['a', 2, { b: 1 }] })).toBe('to a, 2, …')
    expect(fill('to {to}', { to: ['a', 'b', 'c', 'd', 'e'] })).toBe('to a, b, c and 2 more')
    expect(fill('to {to}', { to: [] })).toBe('to none')
    expect(fill('{to}', { to: ['a\nb', 'x'.repeat(500)] })).toBe(`a\\nb, ${'x'.repeat(79)}…`)
    expect(fill('{to}', { to: Array.from({ length: 100_000 }, () => 'x'.repeat(500)) }).length).toBeLessThan(
      300,
    )
  })

  it('turns doubled braces into single ones, and evaluates nothing', () => {
    expect(fill('{{{to}}} {{to}} {1+1} {to.length} {toString} {__proto__}', { to: 'x' })).toBe(
      '{x} {to} … … … …',
    )
    expect(fill('{ {} {to', { to: 'x' })).toBe('{ {} {to')
  })

  it('does not expand a placeholder inside an argument', () => {
    expect(fill('{a}', { a: '{b}', b: 'secret' })).toBe('{b}')
  })

  it('shortens long values and escapes hidden characters', () => {
    expect(fill('{a}', { a: 'x'.repeat(500) })).toBe(`${'x'.repeat(79)}…`)
    expect(fill('{a}', { a: 'a\nb\u202Ec\u200Bd\u{E0041}' })).toBe('a\\nb\\u{202e}c\\u{200b}d\\u{e0041}')
  })

  it('uses the title and the most informative argument without a template', () => {
    const of = (args: unknown) => actionSentence({ title: 'Do it', args })
    expect(of({ limit: 3, path: '/tmp' })).toBe('Do it: /tmp')
    expect(of({ whatever: 'x' })).toBe('Do it: x')
    expect(of({ password: 'hunter2', api_key: 'k' })).toBe('Do it')
    expect(of({ limit: 3, to: ['ada@example.com', 'bob@example.com'] })).toBe(
      'Do it: ada@example.com, bob@example.com',
    )
    expect(of({ list: [{}] })).toBe('Do it')
    expect(of(undefined)).toBe('Do it')
  })

  it('always returns one line of visible text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string({ unit: 'binary' }), (template, value) => {
        const sentence = fill(`${template}{a}`, { a: value })
        expect(sentence).not.toMatch(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})

describe('showUntrusted', () => {
  it('cuts between characters, never inside one', () => {
    expect(showUntrusted('😀😀😀😀', 3)).toBe('😀😀…')
    expect(showUntrusted('😀😀😀', 3)).toBe('😀😀😀')
  })
})

describe('a display title', () => {
  it.each([
    ['delete_file', 'Delete file'],
    ['getHTTPResponse', 'Get HTTP response'],
    ['list-user.ids', 'List user IDs'],
    ['css_minify', 'CSS minify'],
    ['', ''],
    ['___', '___'],
  ])('%s reads %s', (name, title) => {
    expect(humaniseName(name)).toBe(title)
  })

  it('is the first of title, annotation title and name that is not blank', () => {
    expect(displayTitle({ name: 'a_b', title: 'T', annotations: { title: 'A' } })).toBe('T')
    expect(displayTitle({ name: 'a_b', title: ' ', annotations: { title: 'A' } })).toBe('A')
    expect(displayTitle({ name: 'a_b', title: 7, annotations: { title: null } })).toBe('A b')
  })
})
