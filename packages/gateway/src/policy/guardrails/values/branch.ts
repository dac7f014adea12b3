import { decodeEscapes } from '../../facts/escapes.ts'
import { COST, countOf } from './effort.ts'
import type { Reading } from './reading.ts'

/** No name of a branch is longer, nor is what a person writes beside it. */
const LONGEST = 1000
/** Nor does anybody write more words there, or more before one name: `refs/remotes/origin/` are three. */
const MOST_WORDS = 100
const MOST_PREFIXES = 8
/** What stands before a branch: `refs/heads/`, `refs/remotes/origin/`, `refs/for/`; a tag is none. */
const PREFIX = /^(?:refs\/(?!tags\/)|heads\/|remotes\/[^/]+\/|for\/|origin\/|upstream\/)/
/** The branch that is checked out, which may be any; a pattern; an option of git. */
const ANY = /^(?:head|@)?$|^--?[a-z]|\*/
/** `main~1`, `main^{commit}`, `main@{0}`, and what Gerrit takes for an option. */
const SUFFIX = /(?:[~^%]|@\{).*$/

/**
 * Every branch that a text may write to, folded as git folds its names: `refs//heads/main`, `origin/main` and `HEAD:main`
 * are all main. Undefined: it may be any of them.
 */
export function readBranches(written: string, reading: Reading): readonly string[] | undefined {
  if (written.length > LONGEST || !reading.spend(COST.escape * countOf('%', written))) return undefined
  const words = wordsOf(written)
  if (words.length > MOST_WORDS) return undefined
  const names = words.flatMap(namesOf)
  if (!reading.spend(effortToCompare(names))) return undefined
  const plain = names.map(name => name.replace(SUFFIX, ''))
  return plain.some(name => ANY.test(name)) ? undefined : [...names, ...plain]
}

/** Each is looked at as it is and without its suffix. */
function effortToCompare(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + COST.item + 2 * name.length, 0)
}

const ANY_NAME = ['*']

/** The target of a word, with all that stands before it and with less and less of that. */
function namesOf(word: string): readonly string[] {
  // The side before the colon is only read.
  const target = word.split(':').findLast(side => side !== '') ?? ''
  const names: string[] = []
  let name = walk(target.replace(/^\+/, ''))
  while (name !== '' && name !== names.at(-1)) {
    if (names.length > MOST_PREFIXES) return ANY_NAME
    names.push(name)
    name = name.replace(PREFIX, '')
  }
  return names
}

/** Where a name leads as a path: nowhere with an empty step or a dot, and back with two. */
function walk(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/**
 * As it is, and as a link would have it. Quotes and blanks are in no name: a shell makes several words of such a text, and
 * one of `m"ai"n` and `m\ain`.
 */
function wordsOf(written: string): readonly string[] {
  const decoded = written.includes('%') ? `${written} ${decodeEscapes(written)}` : written
  const bare = QUOTES.test(decoded) ? decoded.replaceAll(ALL_QUOTES, '') : ''
  return `${decoded} ${bare}`.split(/[\s,;"'`]+/).filter(word => word !== '')
}

const QUOTES = /["'`\\]/
const ALL_QUOTES = /["'`\\]+/g
