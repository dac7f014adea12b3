/** The gap between a word and the previous one, from weak to strong. */
export const GAP = { space: 0, comma: 1, clause: 2, sentence: 3 } as const

/**
 * A text as lower-case words, each with the gap before it. Identifiers such as `other_tool` and --flag become {@link
 * IDENTIFIER}.
 */
export interface WordStream {
  readonly words: readonly string[]
  readonly gaps: readonly number[]
}

/** Stands for the name of another tool or a parameter, which is not prose. */
export const IDENTIFIER = '#'

/**
 * Maximum length of text to read, about two hundred words. These say what a tool does; reading more did not improve the
 * scores.
 */
export const MAX_TEXT_LENGTH = 1200

/** Words that are HTTP methods if written in capitals, and then do not describe the tool. */
const HTTP_METHODS = new Set(['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD'])

const SPACE = 32
const ADDRESS_ENDS = new Set([')', ']', '>', '"'])
const NEWLINE = 10
const SINGLE_QUOTE = 39
const HYPHEN = 45
const ASTERISK = 42
const UNDERSCORE = 95
const RIGHT_QUOTE = 0x2019
const BULLET = 0x2022

/** The classes of characters. They are looked up in a table, because a set lookup for every character is slower. */
const KIND = { other: 0, lower: 1, upper: 2, digit: 3, comma: 4, clause: 5, stop: 6 } as const
const kinds = new Uint8Array(0x10000)
for (let code = 97; code <= 122; code += 1) kinds[code] = KIND.lower
for (let code = 65; code <= 90; code += 1) kinds[code] = KIND.upper
for (let code = 48; code <= 57; code += 1) kinds[code] = KIND.digit
kinds[UNDERSCORE] = KIND.digit
for (const mark of ',/，、&+') kinds[mark.charCodeAt(0)] = KIND.comma
for (const mark of ':;()[]|–—"“”：；（）*#>') kinds[mark.charCodeAt(0)] = KIND.clause
for (const mark of '.!?。！？') kinds[mark.charCodeAt(0)] = KIND.stop

function kindAt(text: string, at: number): number {
  return at < text.length ? (kinds[text.charCodeAt(at)] ?? 0) : 0
}

function isWordKind(kind: number): boolean {
  return kind === KIND.lower || kind === KIND.upper || kind === KIND.digit
}

/** Splits prose into words in one pass without regular expressions, so the time is linear for any text. */
export function readWords(whole: string): WordStream {
  const text = whole.length > MAX_TEXT_LENGTH ? whole.slice(0, MAX_TEXT_LENGTH) : whole
  const words: string[] = []
  const gaps: number[] = []
  let gap: number = GAP.sentence
  let at = 0
  while (at < text.length) {
    const kind = kindAt(text, at)
    if (isWordKind(kind)) {
      const start = at
      at = findWordEnd(text, start)
      const isAddress = text.startsWith('://', at)
      words.push(isAddress ? IDENTIFIER : toWord(text, start, at))
      if (isAddress) at = findAddressEnd(text, at)
      gaps.push(gap)
      gap = GAP.space
    } else {
      const next = kind === KIND.other ? gapOfNewline(text, at) : gapOfMark(text, at, kind)
      if (next > gap) gap = next
      at += 1
    }
  }
  return { words, gaps }
}

function findWordEnd(text: string, start: number): number {
  let at = start + 1
  for (; at < text.length; at += 1) {
    if (isWordKind(kindAt(text, at))) continue
    const code = text.charCodeAt(at)
    const isApostrophe = code === SINGLE_QUOTE || code === RIGHT_QUOTE
    if (!isApostrophe || kindAt(text, at + 1) !== KIND.lower) break
  }
  return at
}

/** Finds the end of a URL: the next space or closing bracket. The words in a URL are not prose. */
function findAddressEnd(text: string, start: number): number {
  let at = start
  while (at < text.length && text.charCodeAt(at) > SPACE && !ADDRESS_ENDS.has(text[at] ?? '')) at += 1
  return at
}

function toWord(text: string, start: number, end: number): string {
  const written = text.slice(start, end)
  let lower = true
  for (let at = start; at < end; at += 1) {
    const kind = kindAt(text, at)
    if (kind === KIND.lower) continue
    lower = false
    if (text.charCodeAt(at) === UNDERSCORE) return IDENTIFIER
    if (kind === KIND.upper && at > start && kindAt(text, at - 1) === KIND.lower) return IDENTIFIER
  }
  const isFlag = start > 1 && text.charCodeAt(start - 1) === HYPHEN && text.charCodeAt(start - 2) === HYPHEN
  if (isFlag) return IDENTIFIER
  if (lower) return written
  return HTTP_METHODS.has(written) ? IDENTIFIER : written.toLowerCase().replace(/['’]/g, '')
}

function gapOfMark(text: string, at: number, kind: number): number {
  if (kind === KIND.comma) return GAP.comma
  if (kind === KIND.clause) return GAP.clause
  // A full stop ends a sentence only before a space, a closing mark or the end of the text, so not in "e.g." or "v1.2".
  return text.charCodeAt(at) < 128 && isWordKind(kindAt(text, at + 1)) ? GAP.space : GAP.sentence
}

/** Returns the gap at a line break, which ends a sentence if an empty line or a list item follows. */
function gapOfNewline(text: string, at: number): number {
  if (text.charCodeAt(at) !== NEWLINE) return GAP.space
  const next = text.charCodeAt(at + 1)
  const isBreak = next === NEWLINE || next === HYPHEN || next === ASTERISK || next === BULLET
  return isBreak ? GAP.sentence : GAP.space
}
