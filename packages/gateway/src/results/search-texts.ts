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
import { ALL, type Among, MOST, type Room } from './known-texts.ts'

/** What was found in a result and what was done about it: places and numbers, never the text. */
export interface Taint {
  readonly kind: keyof ResultRules
  readonly rule: string
  readonly count: number
  readonly action: 'flagged' | 'redacted' | 'stripped' | 'marked'
}

/**
 * Of what has other readings so much is searched for instructions in each of them, and the result says so where that is not
 * all: a text can have nine, and the search for sentences is the longest.
 */
const MOST_READ = MOST / 8

/** A text takes as long as so many characters, however short it is: a server may send millions of them. */
export const A_TEXT = 4
/** And a closer look at it as so many. */
const CLOSE_LOOK = 64
/** What can be read in several ways takes several times as long, which counts where others wait for it. */
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
  /** Why nobody may read them; empty where they may. */
  readonly reasons: readonly Reason[]
  /** How many characters were searched for everything, where that is not all. */
  readonly searched: number | undefined
}

export function mustNotPass(searches: readonly Search[]): boolean {
  return searches.some(search => search.way === 'block' || isChanging(search))
}

function isChanging({ way }: Search): boolean {
  return way === 'redact' || way === 'strip'
}

/** What was not searched to its end is marked as if something had been found: padding is not to silence the warning. */
export function markUnsearched(searches: readonly Search[]): readonly Taint[] {
  return searches
    .filter(({ way }) => way === 'mark')
    .map(({ kind }) => ({ kind, rule: UNSEARCHED_RULE, count: 1, action: 'marked' }))
}

export const UNSEARCHED_RULE = 'unsearched'

/** Searches the texts of one result, one after the other, as far as there is room for all of them together. */
export class TextSearch {
  readonly #searches: readonly Search[]
  readonly #isCut: boolean
  readonly #tally: Tally = { counts: new Map(), blocked: new Map(), toRead: MOST_READ, isUnread: false }
  #left: number

  constructor(searches: readonly Search[], { most, isCut }: Room = ALL) {
    this.#searches = searches
    this.#isCut = isCut
    this.#left = most
  }

  get isDone(): boolean {
    return this.#left <= 0
  }

  /** All was searched, and nothing found: as mostly. */
  get isClean(): boolean {
    const { counts, blocked, isUnread } = this.#tally
    return this.#left > 0 && counts.size === 0 && blocked.size === 0 && !isUnread
  }

  /** What else takes as long as the search of so many characters. */
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

/** Nobody honest has anything behind what is redacted more than once. */
const MOST_ROUNDS = 3

/**
 * The text as it may be read. What was redacted no longer stands right before or behind the rest, which may now be a find that
 * it was not; so that is searched again, until nothing changes. Whoever searches what comes back finds nothing more.
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
  text: 'without what is hidden in it, it has something else hidden in it, again and again',
}

/**
 * No character that nobody sees may keep a search from its find: all but the one for such characters see the other readings,
 * too.
 */
function searchOnce({ text, among }: Shown, searches: readonly Search[], tally: Tally) {
  let now = text
  let isRedacted = false
  let readings: readonly Reading[] | undefined
  for (const search of searches) {
    // A program or a picture has any characters in it, and is broken without them.
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

/** The other readings of as much as may still be read. Bytes have readings without end that nobody reads. */
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
  text: 'it is too long to be searched to its end',
}

function maySay(text: string): boolean {
  return hasWords(text) || CHAT_SIGN.test(text) || PARTED.test(text)
}

/** What marks of a conversation begin with: one of them is enough, without any words. */
const CHAT_SIGN = /[<[]/

/** Five words that any other signs part. Names in programs have fewer, and addresses are seldom what is sure to be an order. */
const PARTED = /(?:[A-Za-z]{2,20}[^A-Za-z]{1,8}){4}[A-Za-z]{2}/

/** Nobody is told anything in one word; some scripts have no spaces, and control characters can stand for them. */
function hasWords(text: string): boolean {
  const isSpaced = text.length >= LEAST_SPACED && SPACE.test(text)
  return isSpaced || FOREIGN.test(text)
}

const SPACE = /[\s\p{Cc}]/u
const FOREIGN = /[\u0080-\uffff]/
const LEAST_SPACED = 10

/** Shorter texts cannot be what is looked for; most names of members are. In Chinese four characters are an order. */
const LEAST: Readonly<Record<TextKind, number>> = { secrets: 8, pii: 6, instructions: 4, hidden: 1 }

/** Shorter texts are a few words. */
const FEW_WORDS = 24

function finderOf({ kind }: Search, text: string): (text: string) => readonly Finding[] {
  if (kind !== 'instructions') return FIND[kind]
  if (hasWords(text)) return text.length < FEW_WORDS ? findInFewWords : findInjection
  return PARTED.test(text) ? findInFewWords : findChatMark
}

/** Honest talk about instructions looks a little like them, and so do lists of words in programs; to hold a result back takes more. */
function sureness({ kind, way }: Search, among: Among): number {
  return kind === 'instructions' && (way === 'block' || among === 'bytes') ? SURE : LIKELY
}

const ACTIONS = { flag: 'flagged', redact: 'redacted', strip: 'stripped', mark: 'marked' } as const

interface Tally {
  readonly counts: Map<string, Taint>
  readonly blocked: Map<string, Reason>
  /** How much may still be read in other ways. */
  toRead: number
  isUnread: boolean
}

function note({ kind, way }: Search, rule: string, { counts, blocked }: Tally): void {
  const key = `${kind} ${rule}`
  if (way === 'block')
    blocked.set(key, {
      rule: `result.${kind}`,
      source: 'config results',
      text: `the result has ${rule} in it`,
    })
  else counts.set(key, { kind, rule, count: (counts.get(key)?.count ?? 0) + 1, action: ACTIONS[way] })
}
