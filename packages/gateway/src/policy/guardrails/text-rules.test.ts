import { describe, expect, it } from 'vitest'
import { compileGuardrails } from './compile-guardrails.ts'
import { factsOf, hitsOf, passes } from './test-support/facts-of.ts'

describe('keyword_block', () => {
  const rule = { rule: 'keyword_block', keywords: ['Confidential', 'project x'] }

  it('allows text without a keyword', () => {
    expect(passes(rule, { body: 'all public' })).toBe(true)
    expect(passes(rule, { body: 'confidentially said' })).toBe(true)
    expect(passes(rule, {})).toBe(true)
  })

  it('finds a keyword at any depth, in lists and as a key', () => {
    expect(passes(rule, { a: [{ b: { c: 'this is CONFIDENTIAL.' } }] })).toBe(false)
    expect(passes(rule, { 'confidential figures': 1 })).toBe(false)
  })

  it('finds a keyword despite look-alikes, wide letters, invisible characters and odd blanks', () => {
    for (const body of [
      'соnfidential',
      'ＣＯＮＦＩＤＥＮＴＩＡＬ',
      'con\u200Bfiden\u00ADtial',
      'project \n\t x',
    ])
      expect(passes(rule, { body }), body).toBe(false)
  })

  it('searches inside words if match is "anywhere"', () => {
    expect(passes({ ...rule, match: 'anywhere' }, { body: 'confidentially said' })).toBe(false)
  })

  it('denies a text that is too long for the number of keywords', () => {
    const some = (count: number) => Array.from({ length: count }, (_, at) => `word${at}`)
    const text = 'word '.repeat(50_000)
    expect(passes({ rule: 'keyword_block', keywords: some(1000) }, { text })).toBe(true)
    expect(hitsOf({ rule: 'keyword_block', keywords: some(2000) }, { text })[0]?.reason.text).toBe(
      'the arguments are too large to check',
    )
  })

  it('names the field and never quotes the text', () => {
    const [hit] = hitsOf(rule, { message: { body: 'confidential: hunter2' } })
    expect(hit).toEqual({
      effect: 'deny',
      reason: {
        rule: 'guardrail.keyword_block',
        source: 'config guardrails[0]',
        text: '"message.body" contains a blocked keyword',
      },
    })
  })
})

describe('content_length', () => {
  it('counts characters, not UTF-16 units', () => {
    const rule = { rule: 'content_length', field: 'body', max: 3 }
    expect(passes(rule, { body: '👍👍👍' })).toBe(true)
    expect(passes(rule, { body: 'four' })).toBe(false)
  })

  it('measures a list or an object as JSON, so that another type does not evade it', () => {
    expect(passes({ rule: 'content_length', field: 'body', max: 5 }, { body: ['aaaaaaaaaa'] })).toBe(false)
  })

  it('checks a minimum, and ignores a missing field', () => {
    const rule = { rule: 'content_length', field: 'body', min: 2 }
    expect(passes(rule, { body: 'a' })).toBe(false)
    expect(passes(rule, {})).toBe(true)
  })
})

describe('require_prefix', () => {
  const rule = { rule: 'require_prefix', field: 'path', prefix: '/srv/data/' }

  it('allows text with the prefix', () => {
    expect(passes(rule, { path: '/srv/data/a.txt' })).toBe(true)
    expect(passes({ ...rule, prefixes: ['/tmp/'] }, { path: ['/tmp/a', '/srv/data/b'] })).toBe(true)
  })

  it('blocks other text, other types, and a missing field', () => {
    expect(passes(rule, { path: '/etc/passwd' })).toBe(false)
    expect(passes(rule, { path: 5 })).toBe(false)
    expect(passes(rule, { path: ['/srv/data/a', '/etc/passwd'] })).toBe(false)
    expect(passes(rule, {})).toBe(false)
    expect(passes({ ...rule, required: false }, {})).toBe(true)
  })

  it('blocks paths that leave the prefix', () => {
    for (const path of [
      '/srv/data/../x',
      '/srv/data/a/..',
      '/srv/data/%2e%2e/x',
      '/srv/data/..\\x',
      '/srv/data/a%2fb',
    ])
      expect(passes(rule, { path }), path).toBe(false)
  })

  it('does not accept look-alike characters in the prefix', () => {
    expect(passes({ rule: 'require_prefix', field: 'name', prefix: 'test-' }, { name: 'tеst-a' })).toBe(false)
  })
})

describe('block_pattern', () => {
  const rule = { rule: 'block_pattern', pattern: 'drop\\s+table' }

  it('matches anywhere, in any case and with look-alikes', () => {
    expect(passes(rule, { sql: 'select 1' })).toBe(true)
    expect(passes(rule, { sql: 'DROP  TABLE users' })).toBe(false)
    expect(passes(rule, { sql: 'dr\u200Bop table users' })).toBe(false)
    expect(passes(rule, { q: [{ sql: 'drоp table' }] })).toBe(false)
  })

  it('denies texts that are too long for the number of patterns', () => {
    const patterns = Array.from({ length: 200 }, (_, at) => `drop t${at}`)
    expect(passes({ rule: 'block_pattern', patterns }, { text: 'x'.repeat(10_000) })).toBe(true)
    const texts = Array.from({ length: 3 }, (_, at) => `${at}`.repeat(100_000))
    expect(hitsOf({ rule: 'block_pattern', patterns }, { texts })[0]?.reason.text).toContain(
      'too large to check',
    )
  })

  it('respects the case when configured', () => {
    expect(passes({ ...rule, case_sensitive: true }, { sql: 'DROP TABLE' })).toBe(true)
  })

  it('takes linear time for every expression', () => {
    const slow = { rule: 'block_pattern', pattern: '(a+)+$' }
    expect(passes(slow, { text: `${'a'.repeat(5000)}!` })).toBe(true)
  })
})

describe('block_mass_mentions', () => {
  const rule = { rule: 'block_mass_mentions', max: 2 }

  it('allows mentions of a few people', () => {
    expect(passes(rule, { text: 'thanks @ada and @bob, write to team@all.example' })).toBe(true)
    for (const text of ['@all_hands', '@team__x', '@here@mastodon.example', 'a_b@here.example'])
      expect(passes(rule, { text }), text).toBe(true)
  })

  it('blocks mentions of everyone in the syntax of every chat', () => {
    for (const text of [
      '@everyone look',
      '@here',
      'hi <!channel>',
      '<!subteam^S1|team>',
      '@\u200Beveryone',
      '＠ｅｖｅｒｙｏｎｅ',
      '@ALL',
      '_@everyone_',
      '@everyone@',
    ])
      expect(passes(rule, { text }), text).toBe(false)
  })

  it('blocks more mentions than the maximum', () => {
    expect(passes(rule, { text: '@a @b @c' })).toBe(false)
    expect(passes(rule, { text: '<@U1> <@U2> <@U3>' })).toBe(false)
  })
})

describe('percent escapes in text', () => {
  const token = ['ghp', '16C7e42F292c6912E7710c838347Ae178B4a'].join('_')
  const words = { rule: 'keyword_block', keywords: ['forbidden'] }
  const rules: readonly (readonly [object, string])[] = [
    [words, 'docs://t/forbidden'],
    [{ rule: 'block_pattern', pattern: 'drop\\s+table' }, 'docs://t/?q=drop table'],
    [{ rule: 'secret_detect' }, `docs://t/${token}`],
    [{ rule: 'pii_detect' }, 'docs://t/ada@example.com'],
  ]
  const escapeAll = (text: string) =>
    text.replaceAll(/[^/:]/g, sign => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`)

  it.each(rules)('are decoded by %j', (rule, text) => {
    for (const uri of [text, escapeAll(text), text.replace(/.{4}$/, escapeAll), `${text}%FF`])
      expect(passes(rule, { a: [uri] }), uri).toBe(false)
    const { guardrails } = compileGuardrails([{ layer: 'global', path: [], rules: [rule] }])
    expect(guardrails.checkTexts(factsOf({ uri: escapeAll(text) }, { tool: 'resources/read' }))).toHaveLength(
      1,
    )
  })

  it('are decoded to letters of any alphabet, without tabs and line breaks', () => {
    for (const uri of ['docs://t/%EF%BD%86orbidden', 'docs://t/forb\tidden', 'do\ncs://t/%6\n6orbidden'])
      expect(passes(words, { uri }), uri).toBe(false)
  })

  it('are decoded once, and a lone percent sign is kept', () => {
    for (const text of ['docs://t/%2566orbidden', '100%forbid', '5% of 20%', 'note: forb\nidden is it'])
      expect(passes(words, { text }), text).toBe(true)
  })

  it('are decoded within the budget of a call', () => {
    const [hit] = hitsOf(words, { text: '%41'.repeat(700_000) })
    expect(hit?.reason.text).toBe('the arguments are too large to check')
    expect(passes(words, { text: '%41'.repeat(100_000) })).toBe(true)
  })
})

describe('data beside the arguments of a call', () => {
  const key = 'AKIAIOSFODNN7EXAMPLQ'

  it.each([
    [{ _meta: { note: key } }, '"_meta.note"'],
    [{ other: key }, '"other"'],
    [{ _meta: { 'com.example/x': [{ deep: key }] } }, '"_meta.com.….deep"'],
  ])('is checked by rules on all fields: %j', (others, place) => {
    const { guardrails } = compileGuardrails([
      { layer: 'global', path: ['guardrails'], rules: [{ rule: 'secret_detect' }] },
    ])
    const [hit] = guardrails.check({ ...factsOf({ a: 'fine' }), others })
    expect(hit?.effect).toBe('deny')
    expect(hit?.reason.text).toContain(place)
    expect(guardrails.check(factsOf({ a: 'fine' }))).toEqual([])
  })
})
