import { nearest } from '@hintgate/metadata'
import type { z } from 'zod'
import type { GuardrailProblem } from './guardrail.ts'

type Path = readonly (string | number)[]
type Issue = z.core.$ZodIssue

/** Explains a rule's schema problems, each with its path and fix. Values are never quoted. */
export function explainIssues(
  issues: readonly Issue[],
  at: Path,
  known: readonly string[],
): GuardrailProblem[] {
  return issues.flatMap(issue => {
    const path = [...at, ...issue.path.filter(step => typeof step !== 'symbol')]
    return issue.code === 'unrecognized_keys'
      ? issue.keys.map(key => explainKey(key, path, known))
      : [{ path, ...explain(issue) }]
  })
}

function explainKey(key: string, path: Path, known: readonly string[]): GuardrailProblem {
  return { path: [...path, key], message: 'unknown key', fix: suggest(key, known) }
}

/** Returns "did you mean …" if a known key is similar, otherwise all possible keys. */
export function suggest(word: string, known: readonly string[], meant = nearest(word, known)): string {
  return meant === undefined ? `remove it, or use one of: ${known.join(', ')}` : `did you mean "${meant}"?`
}

/** For each type, its name in messages and how to write a value. */
export const TYPES: Readonly<Record<string, readonly [name: string, fix: string]>> = {
  string: ['a string', 'put it in double quotes'],
  number: ['a number', 'write it without quotes'],
  int: ['a whole number', 'write it as a whole number without quotes'],
  boolean: ['true or false', 'write true or false, without quotes'],
  array: ['a list', 'put it in brackets: [ … ]'],
  object: ['an object', 'put it in braces: { … }'],
  record: ['an object', 'put it in braces: { … }'],
}

function explain(issue: Exclude<Issue, { code: 'unrecognized_keys' }>): { message: string; fix: string } {
  switch (issue.code) {
    case 'invalid_type': {
      const [name, fix] = TYPES[issue.expected] ?? [issue.expected, 'correct it']
      return issue.input === undefined
        ? {
            message: `"${String(issue.path.at(-1))}" is missing or not ${name}`,
            fix: `add it: ${name}`,
          }
        : { message: `expected ${name}`, fix }
    }
    case 'invalid_value':
      return explainChoice(issue.values, issue.input)
    case 'too_small':
      return { message: `expected at least ${issue.minimum}`, fix: `write at least ${issue.minimum}` }
    case 'too_big':
      return { message: `expected at most ${issue.maximum}`, fix: `write at most ${issue.maximum}` }
    case 'custom':
      return { message: issue.message, fix: String(issue.params?.fix ?? 'correct it') }
    default:
      return { message: issue.message, fix: 'correct it' }
  }
}

export function explainChoice(values: readonly unknown[], found: unknown): { message: string; fix: string } {
  const choices = values.map(String)
  const meant = typeof found === 'string' ? nearest(found, choices) : undefined
  const fix = meant === undefined ? 'write one of them' : `did you mean "${meant}"?`
  return { message: `expected one of ${choices.map(choice => `"${choice}"`).join(', ')}`, fix }
}
