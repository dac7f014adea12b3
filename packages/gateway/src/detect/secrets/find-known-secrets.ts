import { entropyOf } from '../text/entropy.ts'
import type { Finding } from '../text/finding.ts'
import { SECRET_RULES, type SecretRule } from './secret-rules.ts'

/** A rule that is tried only where its hint occurs. */
interface Anchored {
  readonly rule: SecretRule
  readonly hint: string
  readonly pattern: RegExp
}

/** Marks the first two characters of every hint, so that one lookup rejects nearly every position. */
const OPENINGS = new Uint8Array(1 << 14)
const HINTS = new Map<number, Anchored[]>()
const UNHINTED = SECRET_RULES.filter(({ hints }) => hints === undefined)

for (const rule of SECRET_RULES) {
  const pattern = new RegExp(rule.pattern.source, rule.pattern.flags.replace('g', 'y'))
  for (const hint of rule.hints ?? []) {
    const opening = (hint.charCodeAt(0) << 7) | hint.charCodeAt(1)
    OPENINGS[opening] = 1
    const known = HINTS.get(opening) ?? []
    HINTS.set(opening, [...known, { rule, hint, pattern }])
  }
}

const MIN_GATED = Math.min(...UNHINTED.map(({ minRun }) => minRun))
const NONE: readonly Finding[] = []
const BLANK = 0x20

/** A rule's findings so far, and the offset at which its search continues, because its matches do not overlap. */
interface Progress {
  done: number
  readonly found: Finding[]
}

type Search = Map<SecretRule, Progress>

/**
 * Finds secrets by their shape. Secrets contain no blanks, so only runs without blanks that are long enough are
 * searched. A rule is tried only where its hints occur; otherwise, a text with the hints of every rule would be
 * searched a hundred times.
 */
export function findKnownSecrets(text: string, minRun: number): readonly Finding[] {
  const search: Search = new Map()
  let longest = 0
  let start = 0
  for (let at = 0; at <= text.length; at += 1) {
    // At the end of the text, the code is NaN, which also ends the run, because it is not greater than a blank.
    if (text.charCodeAt(at) > BLANK) continue
    if (at - start >= minRun) {
      longest = Math.max(longest, at - start)
      searchRun(text, { start, end: at }, search)
    }
    start = at + 1
  }
  if (longest >= MIN_GATED) {
    for (const rule of UNHINTED) if (longest >= rule.minRun) searchAll(rule, text, search)
  }
  return search.size === 0 ? NONE : [...search.values()].flatMap(({ found }) => found)
}

function searchRun(text: string, { start, end }: { start: number; end: number }, search: Search): void {
  let last = text.charCodeAt(start)
  for (let at = start + 1; at < end; at += 1) {
    const code = text.charCodeAt(at)
    const opening = (last << 7) | code
    if (code < 128 && last < 128 && OPENINGS[opening] === 1) tryHints(text, at - 1, search)
    last = code
  }
}

function tryHints(text: string, at: number, search: Search): void {
  const opening = (text.charCodeAt(at) << 7) | text.charCodeAt(at + 1)
  for (const anchored of HINTS.get(opening) ?? [])
    if (text.startsWith(anchored.hint, at)) tryAt(text, at, anchored, search)
}

function tryAt(text: string, at: number, { rule, hint, pattern }: Anchored, search: Search): void {
  const { hintAt, body } = rule
  if (hintAt.length === 0) {
    if (!search.has(rule)) searchAll(rule, text, search)
    return
  }
  const progress = progressOf(rule, search)
  for (const before of hintAt) {
    pattern.lastIndex = at - before
    const match = at - before < progress.done ? null : pattern.exec(text)
    if (match === null) continue
    note(rule, match, progress)
    return
  }
  if (body === undefined || at < progress.done) return
  // In a run that is too long for a token, hints are skipped until the rest is short enough, because each try reads as
  // much as a token's length.
  body.run.lastIndex = at + hint.length
  body.run.test(text)
  progress.done = Math.max(progress.done, body.run.lastIndex - body.most - LONGEST_HEAD)
}

/** Maximum distance between a hint and the body of its token. */
const LONGEST_HEAD = 32

function searchAll(rule: SecretRule, text: string, search: Search): void {
  const progress = progressOf(rule, search)
  for (const match of text.matchAll(rule.pattern)) note(rule, match, progress)
}

function progressOf(rule: SecretRule, search: Search): Progress {
  const known = search.get(rule)
  if (known !== undefined) return known
  const progress = { done: 0, found: [] }
  search.set(rule, progress)
  return progress
}

function note(rule: SecretRule, match: RegExpExecArray, progress: Progress): void {
  const head = match.groups?.head
  if (head !== undefined && match.index - head.length < progress.done) return
  progress.done = match.index + match[0].length
  const secret = head === undefined ? (match[1] ?? match[0]) : head + match[0]
  if (rule.entropy > 0 && entropyOf(secret) < rule.entropy) return
  const judged = rule.judge?.(secret) ?? true
  if (judged === false) return
  const start = progress.done - secret.length
  const confidence = judged === true ? rule.confidence : judged
  progress.found.push({ rule: rule.id, start, end: progress.done, confidence })
}
