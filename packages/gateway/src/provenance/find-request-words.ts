import { OTHERS } from './read-request.ts'
import {
  ADDRESS,
  ASKS_SURE,
  ASKS_TO,
  ASKS_VERB,
  ASKS_YOU,
  ASKS_YOU_TO,
  FOREIGN,
  hashLetter,
  JOINS_CLAUSES,
  LEAD,
  meaningOf,
  SURE,
  TO,
  VERB,
  YOU,
} from './request-words.ts'

/** Classes of ASCII characters. A letter's class is its code in lower case. */
const OTHER = 0
const SPACE = 1
/** Ends a clause wherever it stands. */
const ENDS_CLAUSE = 2
/** Ends a sentence if a blank or a capital letter follows. */
const SENTENCE_SIGN = 3
/** Ends a clause if a blank follows. */
const DASH = 4
const FIRST_LETTER = 97

const CLASSES = Uint8Array.from({ length: 128 }, (_, code) => classOf(String.fromCharCode(code)))

function classOf(char: string): number {
  if (/[a-z]/i.test(char)) return char.toLowerCase().charCodeAt(0)
  if (/\s/.test(char)) return SPACE
  if (',;"()[]'.includes(char)) return ENDS_CLAUSE
  if ('.!?:'.includes(char)) return SENTENCE_SIGN
  return '-|>*'.includes(char) ? DASH : OTHER
}

/** What the next word must be, so that the words up to it are a request. */
const NOTHING = 0
const NEEDS_VERB = 1
const NEEDS_VERB_AFTER_ADVERB = 2
const NEEDS_TO = 3
const NEEDS_YOU = 4
const NEEDS_SURE = 5
const NEEDS_YOU_TO = 6

const LETTER = /\p{L}/u
const NOT_LATIN = /[^\p{Script=Latin}\P{L}]/u
const NONE: readonly number[] = []
/** The letters outside ASCII that have an ASCII letter as their lower case: İ and the Kelvin sign. */
const FOLDS_TO_ASCII = new Set([0x130, 0x212a])

/**
 * Finds the places in a text where something could be asked for: a verb that starts a clause, follows a word such as
 * "please", or precedes an address; words of other languages; letters of other scripts. A sentence without such a place
 * asks for nothing, so `readRequest` need not analyse it. This takes one pass and creates no strings, because nearly all
 * of what agents read asks for nothing.
 * @example
 * findRequestWords('We met. Please pay.') // => [15]
 */
export function findRequestWords(text: string): readonly number[] {
  const clause = new Clause()
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > 127) clause.takeOther(text, at, code)
    else if ((CLASSES[code] ?? OTHER) < FIRST_LETTER) clause.takeSign(text, at, code)
    else at = takeWord(text, at, clause)
  }
  return clause.places
}

/** Takes the word that begins here, and returns the index of its last letter. */
function takeWord(text: string, start: number, clause: Clause): number {
  let at = start
  let hash = 0
  let letter = 0
  for (let next = letterAt(text, at); next !== 0; next = letterAt(text, at)) {
    hash = hashLetter(hash, next)
    letter = next
    at += 1
  }
  clause.takeWord(start, meaningOf(hash), letter)
  return at - 1
}

/** Returns the letter in lower case, or 0 for anything but an ASCII letter. */
function letterAt(text: string, at: number): number {
  const code = at < text.length ? text.charCodeAt(at) : 0
  const type = code < 128 ? (CLASSES[code] ?? OTHER) : OTHER
  return type >= FIRST_LETTER ? type : 0
}

const LETTER_Y = 121

/** What is known at a place in a text, and the places found so far. */
class Clause {
  places = NONE
  #found: number[] | undefined
  #isStart = true
  #needs = NOTHING
  #isAfterVerb = false
  /** The number of words of other languages in the sentence. A single one decides nothing. */
  #foreign = 0

  takeWord(at: number, meaning: number, lastLetter: number): void {
    if (meaning === 0 && this.#needs === NOTHING) {
      this.#isStart = false
      this.#isAfterVerb = false
      return
    }
    const isVerb = (meaning & VERB) !== 0
    if ((meaning & FOREIGN) !== 0) this.#takeForeign(at)
    if (isVerb && (this.#isStart || this.#needs === NEEDS_VERB || this.#needs === NEEDS_VERB_AFTER_ADVERB))
      this.#push(at)
    if (this.#isAfterVerb && (meaning & ADDRESS) !== 0) this.#push(at)
    this.#isStart = (this.#isStart && (meaning & LEAD) !== 0) || (meaning & JOINS_CLAUSES) !== 0
    this.#isAfterVerb = isVerb
    this.#needs = nextNeed(this.#needs, meaning, lastLetter)
  }

  takeSign(text: string, at: number, code: number): void {
    const type = CLASSES[code] ?? OTHER
    if (type <= SPACE || !endsClause(type, text, at)) return
    this.#isStart = true
    if (endsSentence(code, text, at)) this.#foreign = 0
  }

  /** Takes a character outside ASCII. */
  takeOther(text: string, at: number, code: number): void {
    const kind = kindOf(text, at, code)
    if (kind === 'no-letter') this.#isStart = true
    if (kind === 'foreign') this.#takeForeign(at)
    if (kind === 'other-script') this.#push(at)
  }

  #takeForeign(at: number): void {
    this.#foreign += 1
    if (this.#foreign > 1) this.#push(at)
  }

  #push(at: number): void {
    this.#found ??= []
    this.#found.push(at)
    this.places = this.#found
  }
}

function nextNeed(needs: number, meaning: number, last: number): number {
  if (meaning === 0) return needs === NEEDS_VERB && last === LETTER_Y ? NEEDS_VERB_AFTER_ADVERB : NOTHING
  if ((meaning & ASKS_VERB) !== 0) return NEEDS_VERB
  if ((meaning & ASKS_TO) !== 0) return NEEDS_TO
  if ((meaning & ASKS_YOU) !== 0) return NEEDS_YOU
  if ((meaning & ASKS_SURE) !== 0) return NEEDS_SURE
  if ((meaning & ASKS_YOU_TO) !== 0) return NEEDS_YOU_TO
  if (needs === NEEDS_TO && (meaning & TO) !== 0) return NEEDS_VERB
  if (needs === NEEDS_YOU && (meaning & YOU) !== 0) return NEEDS_VERB
  if (needs === NEEDS_SURE && (meaning & SURE) !== 0) return NEEDS_TO
  if (needs === NEEDS_YOU_TO && (meaning & YOU) !== 0) return NEEDS_TO
  return needs === NEEDS_VERB && last === LETTER_Y ? NEEDS_VERB_AFTER_ADVERB : NOTHING
}

/** Whether a clause can begin after this character. If in doubt, it can. */
function endsClause(type: number, text: string, at: number): boolean {
  if (type === ENDS_CLAUSE) return true
  if (type === OTHER || at + 1 === text.length) return false
  const next = text.charCodeAt(at + 1)
  if (next > 127) return true
  const follows = CLASSES[next] ?? OTHER
  if (type === DASH) return follows === SPACE || follows === DASH
  return follows === SPACE || (next >= 65 && next <= 90)
}

/** Whether a sentence certainly ends here. Only the words of one sentence decide about its language. */
function endsSentence(code: number, text: string, at: number): boolean {
  const isSign = CLASSES[code] === SENTENCE_SIGN || code === SEMICOLON
  return isSign && CLASSES[text.charCodeAt(at + 1)] === SPACE
}

const SEMICOLON = 59

type Kind = 'no-letter' | 'latin' | 'foreign' | 'other-script'

/** Classifies a character outside ASCII. A word of another language is reported at each such letter. */
function kindOf(text: string, at: number, code: number): Kind {
  // General punctuation, such as dashes and typographic quotes.
  if (code < 0xaa || (code >= 0x2010 && code <= 0x2070)) return 'no-letter'
  if (code >= 0xd800 && code <= 0xdfff) return isAstralLetter(text, at, code) ? 'other-script' : 'no-letter'
  const char = text.charAt(at)
  if (!LETTER.test(char)) return 'no-letter'
  if (FOLDS_TO_ASCII.has(code) || NOT_LATIN.test(char)) return 'other-script'
  return isForeignWord(text, at) ? 'foreign' : 'latin'
}

function isAstralLetter(text: string, at: number, code: number): boolean {
  const start = code >= 0xdc00 ? Math.max(0, at - 1) : at
  return LETTER.test(String.fromCodePoint(text.codePointAt(start) ?? 0))
}

/** Longer words are in no list. */
const LONGEST_FOREIGN = 12

function isForeignWord(text: string, at: number): boolean {
  let start = at
  while (start > 0 && at - start <= LONGEST_FOREIGN && LETTER.test(text.charAt(start - 1))) start -= 1
  let end = at + 1
  while (end < text.length && end - start <= LONGEST_FOREIGN && LETTER.test(text.charAt(end))) end += 1
  return OTHERS.has(text.slice(start, end).toLowerCase())
}
