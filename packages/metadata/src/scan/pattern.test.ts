import { describe, expect, it } from 'vitest'
import { ATTACK_RULES, NAME_RULES } from './attack-rules.ts'
import { ATTACK_CLASSES } from './attack-words.ts'
import { CONCEALMENT_RULES } from './concealment-rules.ts'
import { DATA_RULES } from './data-rules.ts'
import { DATA_CLASSES } from './data-words.ts'
import { DIVERSION_RULES } from './diversion-rules.ts'
import { foldText } from './fold-text.ts'
import { INSTRUCTION_RULES } from './instruction-rules.ts'
import { lookUp } from './lexicon.ts'
import { compilePattern, type Match, matchPattern } from './pattern.ts'
import { readTokens } from './read-tokens.ts'
import { TOOL_RULES } from './tool-rules.ts'
import { WORD_CLASSES } from './word-classes.ts'

function matchFirst(pattern: string, text: string): Match | undefined {
  const compiled = compilePattern(pattern)
  const tokens = readTokens(foldText(text))
  for (const at of tokens.keys()) {
    const match = matchPattern(compiled, tokens, at)
    if (match !== undefined) return match
  }
  return undefined
}

describe('a sequence', () => {
  it('matches words of its classes in order, within the allowed distance', () => {
    expect(matchFirst('forget -1 instruction', 'ignore the rules')).toEqual({ at: 0, end: 2 })
    expect(matchFirst('forget -1 instruction', 'ignore all the rules')).toBeUndefined()
    expect(matchFirst('forget -1 instruction', 'rules to ignore')).toBeUndefined()
  })

  it('finds a match after an early partial one', () => {
    expect(matchFirst('=one ~2 =two =six', 'one two two six')).toEqual({ at: 0, end: 3 })
  })

  it('stops at a comma on request, and always at the end of a sentence', () => {
    expect(matchFirst('=a ~2 =b', 'a, b')).toEqual({ at: 0, end: 1 })
    expect(matchFirst('=a -2 =b', 'a, b')).toBeUndefined()
    expect(matchFirst('=a ~2 =b', 'a. b')).toBeUndefined()
    expect(matchFirst('=a ~2 =b', 'a\n\nb')).toBeUndefined()
    expect(matchFirst('=a ~2 =b', 'a\nb')).toEqual({ at: 0, end: 1 })
  })

  it('can require the start of a clause', () => {
    expect(matchFirst('^=dump', 'Lists: dump of a table')).toEqual({ at: 1, end: 1 })
    expect(matchFirst('^=dump', 'Lists a dump of a table')).toBeUndefined()
  })
})

describe('a bag', () => {
  it('matches its words in any order, each once', () => {
    expect(matchFirst('=b & =a & =c', 'c then a and b')).toEqual({ at: 0, end: 4 })
    expect(matchFirst('=a & =a', 'only one a')).toBeUndefined()
  })

  it('does not match across sentences or large distances', () => {
    expect(matchFirst('=a & =b', 'a. b')).toBeUndefined()
    expect(matchFirst('=b & =a', 'a. b')).toBeUndefined()
    expect(matchFirst('=a & =b', `a ${'x '.repeat(40)} b`)).toBeUndefined()
  })
})

describe('words', () => {
  it('are recognised in all forms', () => {
    for (const form of [
      'forward',
      'forwards',
      'forwarded',
      'forwarding',
      'copies',
      'copied',
      'copying',
      'piping',
    ])
      expect(lookUp(form).classes, form).toContain('send')
    expect(lookUp("customer's").classes).toContain('users')
    expect(lookUp('sendable').classes).toEqual([])
  })

  it('are joined to the longest known phrase', () => {
    const words = readTokens(foldText('Their saved passwords, private keys and do not')).map(
      ({ word }) => word,
    )
    expect(words).toEqual(['their', 'saved_passwords', 'private_keys', 'and', 'do', 'not'])
  })

  it('are distinguished from addresses, secret files, identifiers and names of secrets', () => {
    const classes = readTokens(
      foldText('(https://a.example/x), me@b.example; ~/.ssh/id_rsa. read_file OPENAI_API_KEY'),
    )
    expect(classes.map(token => token.classes)).toEqual([
      ['url'],
      ['email'],
      ['secretfile'],
      ['identifier'],
      ['secretname'],
    ])
  })
})

describe('the rules', () => {
  const rules = [
    ...[...INSTRUCTION_RULES, ...CONCEALMENT_RULES, ...DATA_RULES, ...DIVERSION_RULES],
    ...[...TOOL_RULES, ...ATTACK_RULES, ...NAME_RULES],
  ]
  const choices = rules.flatMap(({ id, patterns }) =>
    patterns
      .flatMap(pattern => pattern.replace('^', '').split(/ & | /))
      .flatMap(part => part.split('|').map(choice => ({ id, choice }))),
  )

  it('use existing classes only', () => {
    const classes = new Set([
      ...[WORD_CLASSES, DATA_CLASSES, ATTACK_CLASSES].flatMap(table => Object.keys(table)),
      ...['url', 'email', 'secretfile', 'payaddress', 'resource', 'identifier', 'secretname'],
    ])
    const unknown = choices.filter(({ choice }) => !/^[~-]\d+$|^=/.test(choice) && !classes.has(choice))
    expect(unknown).toEqual([])
  })

  it('use phrases that can be joined only', () => {
    const phrases = choices.filter(({ choice }) => choice.startsWith('=') && choice.includes('_'))
    expect(phrases.length).toBeGreaterThan(5)
    expect(phrases.filter(({ choice }) => lookUp(choice.slice(1)).classes.length === 0)).toEqual([])
  })
})
