import { findInFewWords, findInjection } from '../detect/injection/find-injection.ts'
import { findChatMark } from '../detect/injection/find-shapes.ts'
import { findPii } from '../detect/personal/find-pii.ts'
import { findSecrets } from '../detect/secrets/find-secrets.ts'
import { findHiddenText, mayHide, stripHidden } from '../detect/text/find-hidden-text.ts'
import { type Finding, LIKELY, redact, SURE } from '../detect/text/finding.ts'
import type { Reading } from '../detect/text/plain-letters.ts'
import { findInReadings, hasReadings, readingsOf } from '../detect/text/readings.ts'
import type { Reason } from '../policy/facts/facts.ts'
import type { ResultRules } from '../policy/rules.ts'
import { ALL, type Among, MOST, type SearchBudget } from './known-texts.ts'

/** A finding in a result, and what was done about it. It contains kinds and counts, never the text. */
export interface Taint {
  readonly kind: keyof ResultRules
  readonly rule: string
  readonly count: number
  readonly action: 'flagged' | 'redacted' | 'stripped' | 'marked'
}

/**
 * Maximum number of characters whose alternative readings are searched for instructions. If a result has more, its
 * findings say so. The limit is low, because a text can have nine readings and the search for instructions is the
 * slowest one.
 */
const MOST_READ = MOST / 8

/** The fixed cost of each text, in characters, because a server can send millions of short texts. */
export const A_TEXT = 4
/** The cost of classifying a text more closely, in characters. */
const CLOSE_LOOK = 64
/** A text with several readings costs this many times as much, if the search makes other callers wait. */
const ODD = 8

type TextKind = Exclude<keyof ResultRules, 'schema'>
type Way = 'flag' | 'redact' | 'strip' | 'mark' | 'block'

export interface Search {
  readonly kind: TextKind
  readonly way: Way
}

const FIND: Readonly<Record<Exclude<TextKind, 'instructions'>, (text: string) => readonly Finding[]>> = {
  hidden: findHiddenText,
  secrets: findSecrets,
  pii: findPii,
}

export interface Searched {
  readonly taints: readonly Taint[]
  /** The reasons for blocking the result; empty if its texts can pass. */
  readonly reasons: readonly Reason[]
  /** The number of characters that were fully searched; undefined if that is all of them. */
  readonly searched: number | undefined
}

export function mustNotPass(searches: readonly Search[]): boolean {
  return searches.some(search => search.way === 'block' || isChanging(search))
}

function isChanging({ way }: Search): boolean {
  return way === 'redact' || way === 'strip'
}

/** Returns findings for text beyond the search limit, so that padding cannot suppress the warning. */
export function markUnsearched(searches: readonly Search[]): readonly Taint[] {
  return searches
    .filter(({ way }) => way === 'mark')
    .map(({ kind }) => ({ kind, rule: UNSEARCHED_RULE, count: 1, action: 'marked' }))
}

export const UNSEARCHED_RULE = 'unsearched'

/** Searches the texts of one result in order, up to a limit for all of them together. */
export class TextSearch {
  readonly #searches: readonly Search[]
  readonly #isCut: boolean
  readonly #tally: Tally = { counts: new Map(), blocked: new Map(), toRead: MOST_READ, isUnread: false }
  #left: number

  constructor(searches: readonly Search[], { most, isCut }: SearchBudget = ALL) {
    this.#searches = searches
    this.#isCut = isCut
    this.#left = most
  }

  get isDone(): boolean {
    return this.#left <= 0
  }

  /** True if everything was searched without findings, which is the usual case. */
  get isClean(): boolean {
    const { counts, blocked, isUnread } = this.#tally
    return this.#left > 0 && counts.size === 0 && blocked.size === 0 && !isUnread
  }

  /** Counts other work that takes as long as a search of `chars` characters. */
  spend(chars: number): void {
    this.#left -= chars
  }

  change(text: string, among?: Among): string {
    const weight = !this.#isCut && hasReadings(text) ? ODD : 1
    if (!this.#isCut && weight * text.length > this.#left) this.#left = 0
    if (this.#left <= 0) return text
    const part = text.length <= this.#left ? text : text.slice(0, this.#left)
    this.#left -= A_TEXT + weight * part.length + (mayHide(part) ? CLOSE_LOOK : 0)
    const changed = searchText({ text: part, among }, this.#searches, this.#tally)
    return changed === part ? text : changed + text.slice(part.length)
  }

  end(): Searched {
    const { counts, blocked, isUnread } = this.#tally
    if (this.isDone && mustNotPass(this.#searches)) blocked.set('length', UNSEARCHED)
    const searched = isUnread ? MOST_READ : this.isDone ? MOST : undefined
    const unsearched = searched === undefined ? [] : markUnsearched(this.#searches)
    return { taints: [...counts.values(), ...unsearched], reasons: [...blocked.values()], searched }
  }
}

interface Shown {
  readonly text: string
  readonly among: Among
}

/**
 * Maximum number of times that a search is repeated. In a legitimate text, redactions reveal a new match at most once.
 */
const MOST_ROUNDS = 3

/**
 * Returns the text that can be shown. The text around a redaction can form a new match, so the text is searched again
 * until nothing changes. Searching the returned text once more finds nothing.
 */
function searchText(shown: Shown, searches: readonly Search[], tally: Tally): string {
  let { text } = shown
  let left = searches
  for (let round = 0; round < MOST_ROUNDS; round += 1) {
    const { now, isRedacted } = searchOnce({ ...shown, text }, left, tally)
    if (!isRedacted) return now
    text = now
    left = searches.filter(isChanging)
  }
  tally.blocked.set('rounds', NEVER_DONE)
  return text
}

export const NEVER_DONE: Reason = {
  rule: 'result.hidden',
  source: 'gateway',
  text: 'removing hidden characters kept revealing further hidden characters',
}

/**
 * Searches a text once. Invisible characters must not prevent a match, so all searches except the one for hidden
 * characters also look at the alternative readings.
 */
function searchOnce({ text, among }: Shown, searches: readonly Search[], tally: Tally) {
  let now = text
  let isRedacted = false
  let readings: readonly Reading[] | undefined
  for (const search of searches) {
    // Hidden characters are not removed from bytes, because a program or image can contain any characters and would
    // break without them.
    if (search.kind === 'hidden' && among === 'bytes') continue
    if (text.length < LEAST[search.kind] || (search.kind === 'instructions' && !maySay(text))) continue
    if (search.kind === 'instructions') readings = readSome({ text: now, among }, search, tally)
    else if (search.kind !== 'hidden') readings ??= readingsOf(now)
    const found = findInReadings(now, finderOf(search, text), readings ?? []).filter(
      ({ confidence }) => confidence >= sureness(search, among),
    )
    if (found.length === 0) continue
    for (const { rule } of found) note(search, rule, tally)
    const changed = withoutFound(now, search, found)
    if (changed !== now) readings = undefined
    isRedacted ||= search.way === 'redact'
    now = changed
  }
  return { now, isRedacted }
}

/**
 * Returns the alternative readings of a text, up to the limit. Bytes have none here, because there would be too many to
 * search.
 */
function readSome({ text, among }: Shown, { way }: Search, tally: Tally): readonly Reading[] {
  const part = text.slice(0, tally.toRead)
  const readings = readingsOf(part)
  if (readings.length > 0) tally.toRead -= part.length
  if (among === 'bytes' || part.length === text.length || !hasReadings(text.slice(part.length)))
    return readings
  tally.isUnread = true
  if (way === 'block') tally.blocked.set('length', UNSEARCHED)
  return readings
}

function withoutFound(text: string, { way }: Search, found: readonly Finding[]): string {
  if (way === 'redact') return redact(text, found)
  return way === 'strip' ? stripHidden(text) : text
}

const UNSEARCHED: Reason = {
  rule: 'result.length',
  source: 'config results',
  text: 'it is too long to be searched completely',
}

function maySay(text: string): boolean {
  return hasWords(text) || CHAT_SIGN.test(text) || PARTED.test(text)
}

/** The first characters of conversation markers. A single marker can be an instruction, even without any words. */
const CHAT_SIGN = /[<[]/

/**
 * Matches five words with any separators. Names in programs have fewer words, and URLs are seldom unmistakable
 * instructions.
 */
const PARTED = /(?:[A-Za-z]{2,20}[^A-Za-z]{1,8}){4}[A-Za-z]{2}/

/** Whether a text could have more than one word, as instructions do. Some scripts use no spaces. */
function hasWords(text: string): boolean {
  const isSpaced = text.length >= LEAST_SPACED && SPACE.test(text)
  return isSpaced || FOREIGN.test(text)
}

const SPACE = /[\s\p{Cc}]/u
const FOREIGN = /[\u0080-\uffff]/
const LEAST_SPACED = 10

/**
 * Minimum length of a text that can match. Most names are shorter. For instructions it is low, because in Chinese four
 * characters can be one.
 */
const LEAST: Readonly<Record<TextKind, number>> = { secrets: 8, pii: 6, instructions: 4, hidden: 1 }

/** Texts shorter than this have only a few words. */
const FEW_WORDS = 24

function finderOf({ kind }: Search, text: string): (text: string) => readonly Finding[] {
  if (kind !== 'instructions') return FIND[kind]
  if (hasWords(text)) return text.length < FEW_WORDS ? findInFewWords : findInjection
  return PARTED.test(text) ? findInFewWords : findChatMark
}

/**
 * Returns the minimum confidence of a finding that counts. It is higher for blocking, because legitimate text about
 * instructions also gives findings, with a low confidence.
 */
function sureness({ kind, way }: Search, among: Among): number {
  return kind === 'instructions' && (way === 'block' || among === 'bytes') ? SURE : LIKELY
}

const ACTIONS = { flag: 'flagged', redact: 'redacted', strip: 'stripped', mark: 'marked' } as const

interface Tally {
  readonly counts: Map<string, Taint>
  readonly blocked: Map<string, Reason>
  /** How many more characters can be searched in their alternative readings. */
  toRead: number
  isUnread: boolean
}

function note({ kind, way }: Search, rule: string, { counts, blocked }: Tally): void {
  const key = `${kind} ${rule}`
  if (way === 'block')
    blocked.set(key, {
      rule: `result.${kind}`,
      source: 'config results',
      text: `the result contains ${rule}`,
    })
  else counts.set(key, { kind, rule, count: (counts.get(key)?.count ?? 0) + 1, action: ACTIONS[way] })
}
