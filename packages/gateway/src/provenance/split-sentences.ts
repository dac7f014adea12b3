import { endOfKey, isJson, splitValues, startsField } from './split-fields.ts'

/** A sentence in a text, or the value of a field. */
export interface Sentence {
  readonly text: string
  /** True for running text, which can contain a request. A field only states a value. */
  readonly isProse: boolean
  /** The index in the part at which the sentence ends. The next sentence begins there. */
  readonly end: number
}

const FEWEST_WORDS = 4
/** The length of the shortest prose: `FEWEST_WORDS` words of two letters, separated by spaces. */
const SHORTEST_PROSE = 3 * FEWEST_WORDS - 1
/** The fewest signs of prose in a script that is written without spaces. */
const FEWEST_SIGNS = 2 * FEWEST_WORDS
const LETTER = /\p{L}/u
const NOT_ASCII = /[^\0-\u007f]/
const ESCAPED = /\\(?:[nrt]|u000a)/gi
const MARKUP = /<[^<>]{0,2000}>/g
const ATTRIBUTE = /"([^"]*)"|'([^']*)'/g
/** Matches the punctuation that can end a sentence. */
const END_SIGN = /[.!?:;。！？]/g
const BLANK = /\s/
/** Matches the start of a sentence that has no space before it, as in `accordingly.Send`. */
const CAPITALISED = /\p{Lu}\p{Ll}/uy
const LOWER_CASE = /\p{Ll}/u
const MARK = '\u0001'

/** A paragraph or the value of a field. It contains whole sentences. */
export interface Part {
  readonly text: string
  /** True for an attribute in markup, which only states a value. */
  readonly isAttribute: boolean
}

/**
 * Splits a text into its sentences and field values, in order. Plain text, YAML, JSON, tables and HTML are handled
 * together, because servers mix them in one block.
 * @example
 * splitSentences('to: ada@example.com\nbody: Please send the report to bob@example.com. Thanks!')
 * // => [{ text: 'ada@example.com', isProse: false }, { text: 'Please send the report to bob@example.com.', isProse: true }, …]
 */
export function splitSentences(text: string): Sentence[] {
  return splitParts(text).flatMap(part => sentencesOf(part))
}

/** Splits a text into paragraphs and field values. None of them is blank. */
export function splitParts(text: string): Part[] {
  const parts: Part[] = []
  for (const paragraph of joinLines(withoutMarkup(decodeEscapes(text))))
    if (paragraph.startsWith(MARK)) pushPart(paragraph.slice(1), parts, true)
    else if (isJson(paragraph)) splitValues(paragraph, value => pushPart(value, parts))
    else pushPart(paragraph.slice(endOfKey(paragraph)), parts)
  return parts
}

function pushPart(text: string, parts: Part[], isAttribute = false): void {
  if (isAttribute || !isBlank(text)) parts.push({ text, isAttribute })
}

export function sentencesOf({ text, isAttribute }: Part): Sentence[] {
  if (isAttribute) return [{ text, isProse: false, end: text.length }]
  const sentences: Sentence[] = []
  pushSentences(text, sentences)
  return sentences
}

/** Whether a part is long enough for a sentence. */
export function mayBeProse({ text, isAttribute }: Part): boolean {
  if (isAttribute || text.length < FEWEST_SIGNS) return false
  return text.length >= SHORTEST_PROSE || NOT_ASCII.test(text)
}

function decodeEscapes(text: string): string {
  const plain = text.includes('\\')
    ? text
        .replace(ESCAPED, '\n')
        .replaceAll('\\"', '"')
        .replaceAll('\\ ', '')
        .replace(/\\\n\s*/g, '')
    : text
  // In a quoted YAML value, two single quotes mean one.
  return plain.includes("''") ? plain.replaceAll("''", "'") : plain
}

/** Replaces HTML tags with line breaks, because a tag ends a sentence. The values of attributes are kept as fields. */
function withoutMarkup(text: string): string {
  if (!text.includes('<')) return text
  return text.replace(MARKUP, tag => {
    const values = Array.from(tag.matchAll(ATTRIBUTE), ([, double, single]) => double ?? single ?? '')
    return `\n\n${values.map(value => `${MARK}${value}\n`).join('')}`
  })
}

/** Joins the lines of wrapped paragraphs. A field always starts a new line. */
function joinLines(text: string): string[] {
  const paragraphs: string[] = []
  let open = ''
  const close = (): void => {
    if (open !== '') paragraphs.push(open)
    open = ''
  }
  for (let start = 0; start <= text.length; ) {
    const found = text.indexOf('\n', start)
    const end = found === -1 ? text.length : found
    const line = text.slice(start, end).trim()
    start = end + 1
    const isMarked = line.startsWith(MARK)
    if (line === '' || isMarked || startsField(line)) close()
    if (isMarked) paragraphs.push(line)
    else if (line !== '') open = open === '' ? line : `${open} ${line}`
  }
  close()
  return paragraphs
}

function pushSentences(value: string, sentences: Sentence[]): void {
  let start = 0
  const pushUntil = (end: number): void => {
    const text = value.slice(start, end).trim()
    if (text !== '') sentences.push({ text, isProse: hasWords(text) || isUnspaced(text), end })
    start = end
  }
  END_SIGN.lastIndex = 0
  for (let found = END_SIGN.exec(value); found !== null; found = END_SIGN.exec(value))
    if (endsSentence(value, found.index)) pushUntil(found.index + 1)
  pushUntil(value.length)
}

/** Whether the sign at this index ends a sentence. The space after it can be missing. */
function endsSentence(text: string, at: number): boolean {
  const sign = text.charAt(at)
  if (sign > '\u007f' || BLANK.test(text.charAt(at + 1))) return true
  if (sign === ':' || sign === ';') return false
  CAPITALISED.lastIndex = at + 1
  return CAPITALISED.test(text) && LOWER_CASE.test(text.charAt(at - 1))
}

function isGraphic(code: number): boolean {
  return code > 32 && code < 127
}

function isBlank(text: string): boolean {
  return !isGraphic(text.charCodeAt(0)) && text.trim() === ''
}

/** Whether a text has enough words to be prose. Counting stops as soon as there are enough. */
function hasWords(text: string): boolean {
  if (text.length < SHORTEST_PROSE) return false
  let count = 0
  let letters = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    const isLetter = code < 128 ? isAsciiLetter(code) : LETTER.test(letterAt(text, at))
    letters = isLetter ? letters + 1 : 0
    if (letters !== 2) continue
    count += 1
    if (count === FEWEST_WORDS) return true
  }
  return false
}

function isAsciiLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** The whole character that the code unit at this index begins or ends. */
function letterAt(text: string, at: number): string {
  const code = text.charCodeAt(at)
  const start = code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
  return String.fromCodePoint(text.codePointAt(Math.max(0, start)) ?? 0)
}

/** Whether a text is in a script that is written without spaces. */
function isUnspaced(text: string): boolean {
  if (!NOT_ASCII.test(text)) return false
  return (text.match(/[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/g)?.length ?? 0) >= FEWEST_SIGNS
}
