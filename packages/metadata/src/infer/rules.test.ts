import { describe, expect, it } from 'vitest'
import { isOperation } from '../derive/operations.ts'
import { DOMAIN_RULES } from './domain-words.ts'
import { OBJECT_RULES, QUESTION_RULE } from './object-table.ts'
import { OUTPUT_RULES } from './output-table.ts'
import { PARAMETER_RULES } from './parameter-table.ts'
import { PHRASE_RULES } from './phrases.ts'
import { splitWords } from './split-words.ts'
import { VERB_RULES } from './verb-table.ts'

const ALL = [
  ...VERB_RULES,
  ...OBJECT_RULES,
  QUESTION_RULE,
  ...PARAMETER_RULES,
  ...OUTPUT_RULES,
  ...PHRASE_RULES,
  ...DOMAIN_RULES,
]

function findTwice(items: readonly string[]): string[] {
  return items.filter((item, at) => items.indexOf(item) !== at)
}

describe('the rule tables', () => {
  it('have unique rule ids', () => {
    expect(findTwice(ALL.map(({ id }) => id))).toEqual([])
  })

  it('have each verb in one row only', () => {
    expect(findTwice(VERB_RULES.flatMap(({ words, nouns }) => [...words, ...(nouns ?? [])]))).toEqual([])
  })

  it('have each parameter in one row only, in normalised form', () => {
    const names = PARAMETER_RULES.flatMap(rule => rule.names)
    expect(findTwice(names)).toEqual([])
    expect(names.filter(name => splitWords(name).join('_') !== name)).toEqual([])
  })

  it('have each phrase in one row only', () => {
    expect(findTwice(PHRASE_RULES.flatMap(({ phrases }) => phrases))).toEqual([])
  })

  it('have probabilities between 0 and 1 and known operations', () => {
    for (const { operations, destructive, idempotent } of VERB_RULES) {
      expect(operations.every(isOperation)).toBe(true)
      for (const chance of [destructive, idempotent]) {
        expect(chance).toBeGreaterThan(0)
        expect(chance).toBeLessThan(1)
      }
    }
  })

  it('never treat a deleting verb as a read', () => {
    const deleting = VERB_RULES.filter(({ operations }) => operations.includes('delete'))
    expect(deleting.length).toBeGreaterThan(0)
    for (const { readOnly, destructive } of deleting) {
      expect(readOnly).toBeLessThan(-3)
      expect(destructive).toBeGreaterThan(0.5)
    }
  })
})
