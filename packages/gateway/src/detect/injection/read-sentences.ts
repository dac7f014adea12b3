import { type Mark, readMarks } from './read-marks.ts'

/** A sentence with at least one mark. */
export interface Sentence {
  readonly start: number
  readonly end: number
  readonly isQuestion: boolean
  readonly marks: readonly Mark[]
  /**
   * The first mark of each part. The others are not kept, because a sentence can have a million words, but there are
   * few parts.
   */
  readonly firsts: readonly Mark[]
  /** All parts in the sentence, as a bit mask. */
  readonly parts: number
}

/**
 * Matches the end of a sentence. Some punctuation ends a sentence anywhere, other punctuation only before a blank,
 * after at most two closing quotes or brackets. A line break within a wrapped sentence does not end it.
 */
const END = /[;。！？؟।]|\n(?:(?![a-z])|(?<![a-z,]\n))|[.!?]["'”’»)\]]{0,2}(?=[\0-\u0020]|$)/g
const QUESTIONS = new Set(Array.from('?？؟', sign => sign.charCodeAt(0)))
const BLANK = 0x20

/** Returns the sentences that contain marks. A text without marks is not split. */
export function readSentences(text: string): readonly Sentence[] {
  const marks = readMarks(text)
  const sentences: Sentence[] = []
  let start = 0
  for (let next = 0; next < marks.length; ) {
    const mark = marks[next]
    if (mark === undefined) break
    let end = findEnd(text, start)
    while (end <= mark.start) {
      start = end
      end = findEnd(text, start)
    }
    const first = next
    while (next < marks.length && (marks[next]?.start ?? end) < end) next += 1
    const own = marks.slice(first, next)
    const firsts = firstOfEach(own)
    const parts = firsts.reduce((bits, { part }) => bits | part, 0)
    sentences.push({ start, end, isQuestion: endsInQuestion(text, end), marks: own, firsts, parts })
    start = end
  }
  return sentences
}

function firstOfEach(marks: readonly Mark[]): readonly Mark[] {
  if (marks.length === 1) return marks
  const firsts: Mark[] = []
  let parts = 0
  for (const mark of marks) {
    if ((parts & mark.part) === 0) firsts.push(mark)
    parts |= mark.part
  }
  return firsts
}

/** Returns the offset after the punctuation that ends the sentence, including closing quotes. */
function findEnd(text: string, from: number): number {
  END.lastIndex = from
  return END.test(text) ? END.lastIndex : text.length
}

function endsInQuestion(text: string, end: number): boolean {
  for (let at = end - 1; at >= end - 3; at -= 1) {
    if (QUESTIONS.has(text.charCodeAt(at))) return !isOperator(text, at)
  }
  return false
}

/**
 * Matches the rest of `a ? b : c` from the question mark. (French also has a blank before a question mark, but a new
 * sentence follows.)
 */
const CONDITIONAL = /\?\s+(?:[^\sA-Z][^?;]{0,200}?|\S{1,80})\s:\s/y
/** Matches the rest of `a ?? b`. */
const COALESCING = /\?\s+(?:["'`[{\d]|[\w.$]{1,80}[;)}])/y

/** True if a question mark is an operator in code. */
function isOperator(text: string, at: number): boolean {
  const isDouble = QUESTIONS.has(text.charCodeAt(at - 1))
  if (text.charCodeAt(isDouble ? at - 2 : at - 1) > BLANK) return false
  const pattern = isDouble ? COALESCING : CONDITIONAL
  pattern.lastIndex = at
  return pattern.test(text)
}
