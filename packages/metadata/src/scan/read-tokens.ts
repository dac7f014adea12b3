import { GAP } from '../infer/read-words.ts'
import { classifyChunk } from './classify-chunk.ts'
import type { FoldedText } from './fold-text.ts'
import { joinLetters, joinPhrases, shareCompany } from './join-tokens.ts'
import { lookUp, type TokenClass, unmaskWord } from './lexicon.ts'
import type { Token } from './token.ts'

/** Maximum length of a quotation. */
const MAX_QUOTATION = 300
const ENDS = new Set(Array.from(' \t\r\n\f\v"`<>()[]{}|,;', sign => sign.charCodeAt(0)))
const APOSTROPHE = 39
const QUOTES = new Set([34, APOSTROPHE, 96])
const AT = 64
const DOLLAR = 36
const ALPHABET_FROM = 97
const ALPHABET_TO = 122
const HUMP = /\p{Ll}\p{Lu}/u
const UNDERSCORE = 95
const SECRET_NAME = /^[A-Z0-9_]+_(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|CREDENTIALS?)$/
const WORD = /[\p{L}\p{N}_]/u

const ALONE: ReadonlySet<string> = new Set()

/** The state while reading. A text is read once from left to right, so the cost is linear. */
interface Reading {
  readonly text: FoldedText
  readonly asName: boolean
  readonly tokens: Token[]
  gap: number
  quoteEnd: number
}

/** Splits a text into tokens. With `asName`, identifiers are split into their words, as in a tool's name. */
export function readTokens(text: FoldedText, asName = false): readonly Token[] {
  const reading: Reading = { text, asName, tokens: [], gap: GAP.sentence, quoteEnd: -1 }
  const { folded } = text
  let at = 0
  while (at < folded.length) {
    const code = folded.charCodeAt(at)
    if (code < ALPHABET_FROM && QUOTES.has(code)) enterQuote(reading, at)
    if (endsChunk(folded, at)) {
      widenGap(reading, at)
      at += 1
    } else at = readChunk(reading, at)
  }
  return shareCompany(joinPhrases(joinLetters(reading.tokens)))
}

/** Reads a chunk, which is the text between spaces or brackets: an address, a path, or words. */
function readChunk(reading: Reading, start: number): number {
  const { folded } = reading.text
  let end = start + 1
  while (end < folded.length && !endsChunk(folded, end)) end += 1
  let last = end
  while (last > start && '.:!?*'.includes(folded.charAt(last - 1))) last -= 1
  const special = reading.asName ? undefined : classifyChunk(folded.slice(start, last))
  if (special === undefined) readWords(reading, start, end)
  else {
    push(reading, { start, end: last, classes: special })
    for (let at = last; at < end; at += 1) widenGap(reading, at)
  }
  return end
}

function readWords(reading: Reading, start: number, end: number): void {
  const { folded } = reading.text
  let at = start
  while (at < end) {
    const from = at
    while (at < end && isInWord(folded, at) && !splitsName(reading, from, at)) at += 1
    if (at > from) pushWord(reading, from, at)
    else {
      widenGap(reading, at)
      at += 1
    }
  }
}

function pushWord(reading: Reading, start: number, end: number): void {
  const { folded, original, at } = reading.text
  const word = folded.slice(start, end)
  if (reading.asName && word === '_') return
  // If folding removed characters, looking up the original case is not worth the search.
  const written = at === undefined ? original.slice(start, end) : word
  const isIdentifier = !reading.asName && (word.includes('_') || HUMP.test(written))
  if (isIdentifier) {
    push(reading, { start, end, word, classes: judgeIdentifier(written) })
    return
  }
  const known = lookUp(word)
  if (known.classes.length + known.reach > 0) push(reading, { start, end, word, ...known })
  else {
    const plain = unmaskWord(word)
    push(reading, { start, end, word: plain, ...(plain === word ? known : lookUp(plain)) })
  }
}

/**
 * Returns the classes of an identifier: `OPENAI_API_KEY` is the name of a secret, any other identifier may be a tool.
 */
function judgeIdentifier(written: string): readonly TokenClass[] {
  return SECRET_NAME.test(written) ? ['secretname'] : ['identifier']
}

function push(
  reading: Reading,
  found: { start: number; end: number; classes: readonly TokenClass[]; reach?: number; word?: string },
): void {
  const { start, end, classes, reach = 0, word } = found
  reading.tokens.push({
    word: word ?? reading.text.folded.slice(start, end),
    start,
    end,
    gap: reading.gap,
    quoted: start < reading.quoteEnd,
    classes,
    reach,
    company: ALONE,
    mention: undefined,
  })
  reading.gap = GAP.space
}

function enterQuote(reading: Reading, at: number): void {
  const { folded } = reading.text
  if (at <= reading.quoteEnd || isApostrophe(folded, at)) return
  const ahead = folded.slice(at + 1, at + 1 + MAX_QUOTATION).indexOf(folded.charAt(at))
  if (ahead > 0) reading.quoteEnd = at + 1 + ahead
}

function isWordAt(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code < 128) return (code >= 97 && code <= 122) || (code >= 48 && code <= 57) || code === UNDERSCORE
  return WORD.test(text.charAt(at))
}

function isApostrophe(text: string, at: number): boolean {
  return text.charAt(at) === "'" && isWordAt(text, at - 1) && isWordAt(text, at + 1)
}

/** Returns true for a symbol that replaces a letter, which makes `p@ssw0rd` one word. */
function isInWord(text: string, at: number): boolean {
  if (isWordAt(text, at)) return true
  const code = text.charCodeAt(at)
  if (code === APOSTROPHE) return isApostrophe(text, at)
  return (code === AT || code === DOLLAR) && isWordAt(text, at - 1) && isWordAt(text, at + 1)
}

function endsChunk(text: string, at: number): boolean {
  const code = text.charCodeAt(at)
  if (code >= ALPHABET_FROM && code <= ALPHABET_TO) return false
  return ENDS.has(code) || (code === APOSTROPHE && !isApostrophe(text, at))
}

/** Returns true where a name is split: at `_`, and where camelCase starts a word. */
function splitsName(reading: Reading, from: number, at: number): boolean {
  if (!reading.asName || at === from) return false
  const { folded, original, at: places } = reading.text
  if (folded.charAt(at) === '_' || folded.charAt(at - 1) === '_') return true
  const place = places === undefined ? at : (places[at] ?? 0)
  return HUMP.test(original.slice(place - 1, place + 1))
}

function widenGap(reading: Reading, at: number): void {
  const gap = gapAt(reading.text.folded, at)
  if (gap > reading.gap) reading.gap = gap
}

function gapAt(text: string, at: number): number {
  const character = text.charAt(at)
  if (character === ',' || character === '/') return GAP.comma
  if ('.!?。！？'.includes(character)) return isWordAt(text, at + 1) ? GAP.space : GAP.sentence
  if (character === '\n') return startsBlock(text, at + 1) ? GAP.sentence : GAP.space
  if (character === '{' || character === '}') return GAP.sentence
  return ':;()[]|<>'.includes(character) ? GAP.clause : GAP.space
}

/**
 * Returns true if the text after a line break starts a new block: an empty line, a heading or a list item. Any other
 * line continues the sentence.
 */
function startsBlock(text: string, at: number): boolean {
  return /^[ \t]{0,16}(?:\n|[-*#•]|\d{1,2}[.)])/.test(text.slice(at, at + 20))
}
