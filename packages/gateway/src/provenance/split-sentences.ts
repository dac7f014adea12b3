/** A sentence of a result, or the value of one of its fields. */
export interface Sentence {
  readonly text: string
  /** True for running text, which can contain a request. A field only states a value. */
  readonly isProse: boolean
}

const FEWEST_WORDS = 4
const LETTER = /\p{L}/u
const NOT_ASCII = /[^\0-\u007f]/
const ESCAPED = /\\(?:[nrt]|u000a)/gi
const MARKUP = /<[^<>]{0,2000}>/g
const ATTRIBUTE = /"([^"]*)"|'([^']*)'/g
/** The start of a field: `key: value`, `- item`, `{`, `[`, a row of a table. */
const FIELD = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s|$)|^[-*•] |^[[{|]/u
const KEY = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s+|$)["'|>]?/u
/** The separators between values in JSON and similar formats. */
const BETWEEN_VALUES = /["']\s*[,:]\s*["']?|["']?[}\]]+\s*,?\s*|,\s*["'{[]|[{[]+["']?/
/** Signs that can end a sentence. */
const END_SIGN = /[.!?:;。！？]/g
const BLANK = /\s/
/** The start of a sentence directly after the end of another: `accordingly.Send`. */
const CAPITALISED = /\p{Lu}\p{Ll}/uy
const LOWER_CASE = /\p{Ll}/u
const MARK = '\u0001'

/**
 * The sentences and field values of a text, in order. Text, YAML, JSON, tables and HTML are handled together, because
 * servers mix them in one block.
 *
 * @example
 * splitSentences('to: ada@example.com\nbody: Please send the report to bob@example.com. Thanks!')
 * // => [{ text: 'ada@example.com', isProse: false }, { text: 'Please send the report to bob@example.com.', isProse: true }, …]
 */
export function splitSentences(text: string): Sentence[] {
  const sentences: Sentence[] = []
  for (const paragraph of joinLines(withoutMarkup(decodeEscapes(text)))) {
    if (paragraph.startsWith(MARK)) sentences.push({ text: paragraph.slice(1), isProse: false })
    else for (const value of valuesOf(paragraph)) pushSentences(value, sentences)
  }
  return sentences
}

function decodeEscapes(text: string): string {
  const plain = text.includes('\\')
    ? text
        .replace(ESCAPED, '\n')
        .replaceAll('\\"', '"')
        .replaceAll('\\ ', '')
        .replace(/\\\n\s*/g, '')
    : text
  // In a quoted YAML value, two single quotes stand for one.
  return plain.includes("''") ? plain.replaceAll("''", "'") : plain
}

/** Replaces HTML tags with line breaks, because a tag ends a sentence. Attribute values are kept as fields. */
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
  for (const untrimmed of text.split('\n')) {
    const line = untrimmed.trim()
    if (line === '' || line.startsWith(MARK) || FIELD.test(line)) close()
    if (line.startsWith(MARK)) paragraphs.push(line)
    else if (line !== '') open = open === '' ? line : `${open} ${line}`
  }
  close()
  return paragraphs
}

function valuesOf(paragraph: string): string[] {
  return /^[[{]/.test(paragraph) ? paragraph.split(BETWEEN_VALUES) : [paragraph.replace(KEY, '')]
}

function pushSentences(value: string, sentences: Sentence[]): void {
  let start = 0
  const pushUntil = (end: number): void => {
    const text = value.slice(start, end).trim()
    if (text !== '') sentences.push({ text, isProse: hasWords(text) || isUnspaced(text) })
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

/** Whether a text has enough words to be prose. Stops counting as soon as there are enough. */
function hasWords(text: string): boolean {
  if (text.length < 3 * FEWEST_WORDS - 1) return false
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
  return (text.match(/[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/g)?.length ?? 0) >= 2 * FEWEST_WORDS
}
