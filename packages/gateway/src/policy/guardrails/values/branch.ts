import { decodeEscapes } from '../../facts/escapes.ts'
import { COST, countOf } from './effort.ts'
import type { Reading } from './reading.ts'

/** Maximum length of a field for a branch. Real branch names are shorter. */
const MAX_LENGTH = 1000
const MAX_WORDS = 100
/** Maximum number of prefixes in front of a branch name; `refs/remotes/origin/` counts as three. */
const MAX_PREFIXES = 8
/**
 * Matches the prefixes of a branch, such as those in `refs/heads/`, `refs/remotes/origin/` and `refs/for/`. A tag is
 * not a branch.
 */
const PREFIX = /^(?:refs\/(?!tags\/)|heads\/|remotes\/[^/]+\/|for\/|origin\/|upstream\/)/
/** Matches text that could mean any branch: `HEAD` (the current branch), a pattern, or a git option. */
const ANY = /^(?:head|@)?$|^--?[a-z]|\*/
/**
 * Matches what can follow a branch name, as in `main~1`, `main^{commit}`, `main@{0}` and Gerrit's push options
 * (`main%r=…`).
 */
const SUFFIX = /(?:[~^%]|@\{).*$/

/**
 * Returns every branch that a text could mean as the target of a write, normalised as git does: `refs//heads/main`,
 * `origin/main` and `HEAD:main` all mean main. Returns undefined if any branch could be meant.
 */
export function readBranches(written: string, reading: Reading): readonly string[] | undefined {
  if (written.length > MAX_LENGTH || !reading.spend(COST.escape * countOf('%', written))) return undefined
  const words = wordsOf(written)
  if (words.length > MAX_WORDS) return undefined
  const names = words.flatMap(namesOf)
  if (!reading.spend(effortToCompare(names))) return undefined
  const plain = names.map(name => name.replace(SUFFIX, ''))
  return plain.some(name => ANY.test(name)) ? undefined : [...names, ...plain]
}

/** Returns the cost of comparing names. Each name is compared with and without its suffix. */
function effortToCompare(names: readonly string[]): number {
  return names.reduce((sum, name) => sum + COST.item + 2 * name.length, 0)
}

const ANY_NAME = ['*']

/**
 * Returns the possible names of the branch to which a refspec writes: with all prefixes, then with one prefix fewer at
 * a time.
 */
function namesOf(word: string): readonly string[] {
  // Git only reads from the side before the colon.
  const target = word.split(':').findLast(side => side !== '') ?? ''
  const names: string[] = []
  let name = resolvePath(target.replace(/^\+/, ''))
  while (name !== '' && name !== names.at(-1)) {
    if (names.length > MAX_PREFIXES) return ANY_NAME
    names.push(name)
    name = name.replace(PREFIX, '')
  }
  return names
}

/** Resolves empty, `.` and `..` segments, as in a file path. */
function resolvePath(path: string): string {
  const steps: string[] = []
  for (const step of path.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '' && step !== '.') steps.push(step)
  }
  return steps.join('/')
}

/**
 * Returns the words of a text in three forms: as written, with escapes decoded, and without quotes. Branch names
 * contain neither quotes nor blanks, but a shell splits at blanks and reads `m"ai"n` and `m\ain` as `main`.
 */
function wordsOf(written: string): readonly string[] {
  const decoded = written.includes('%') ? `${written} ${decodeEscapes(written)}` : written
  const bare = QUOTES.test(decoded) ? decoded.replaceAll(ALL_QUOTES, '') : ''
  return `${decoded} ${bare}`.split(/[\s,;"'`]+/).filter(word => word !== '')
}

const QUOTES = /["'`\\]/
const ALL_QUOTES = /["'`\\]+/g
