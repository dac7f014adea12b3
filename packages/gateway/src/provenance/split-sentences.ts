/** A sentence in a text, or the value of a field. */
export interface Sentence {
  readonly text: string
  /** True for running text, which can contain a request. A field only states a value. */
  readonly isProse: boolean
}

const FEWEST_WORDS = 4
const WORD = /\p{L}{2,}/gu
const NOT_ASCII = /[^\0-\u007f]/
const ESCAPED = /\\(?:[nrt]|u000a)/gi
const MARKUP = /<[^<>]{0,2000}>/g
const ATTRIBUTE = /"([^"]*)"|'([^']*)'/g
/** Matches the start of a field: `key: value`, `- item`, `{`, `[`, a row of a table. */
const FIELD = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s|$)|^[-*•] |^[[{|]/u
const KEY = /^(?:- )?["']?[\p{L}\p{N}_ .-]{1,40}["']?:(?:\s+|$)["'|>]?/u
/** Matches the separators between values in JSON and similar formats. */
const BETWEEN_VALUES = /["']\s*[,:]\s*["']?|["']?[}\]]+\s*,?\s*|,\s*["'{[]|[{[]+["']?/
/** Matches the end of a sentence. The space after it can be missing, as in `accordingly.Send`. */
const SENTENCE_END = /(?<=[.!?:;])\s+|(?<=[。！？])|(?<=\p{Ll}[.!?])(?=\p{Lu}\p{Ll})/u
const MARK = '\u0001'

/**
 * Splits a text into its sentences and field values, in order. Plain text, YAML, JSON, tables and HTML are handled
 * together, because servers mix them in one block.
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
  for (const part of value.split(SENTENCE_END)) {
    const text = part.trim()
    if (text !== '') sentences.push({ text, isProse: hasWords(text) || isUnspaced(text) })
  }
}

/** Whether a text has enough words to be prose. Counting stops as soon as there are enough. */
function hasWords(text: string): boolean {
  if (text.length < 3 * FEWEST_WORDS - 1) return false
  WORD.lastIndex = 0
  for (let count = 0; count < FEWEST_WORDS; count += 1) if (!WORD.test(text)) return false
  return true
}

/** Whether a text is in a script that is written without spaces. */
function isUnspaced(text: string): boolean {
  if (!NOT_ASCII.test(text)) return false
  return (text.match(/[\u3040-\u30ff\u3400-\u9fff\u0e00-\u0e7f]/g)?.length ?? 0) >= 2 * FEWEST_WORDS
}
