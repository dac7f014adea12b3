import { type Mark, readMarks } from './read-marks.ts'

/** A sentence in which at least one word plays a part. */
export interface Sentence {
  readonly start: number
  readonly end: number
  readonly isQuestion: boolean
  readonly marks: readonly Mark[]
  /** The first of every part: a sentence can be a million words long, but there are few parts. */
  readonly firsts: readonly Mark[]
  /** Those parts, each a bit. */
  readonly parts: number
}

/**
 * What ends a sentence: some signs wherever they stand, others before a blank only, with at most two quotes or brackets that close
 * with it. Not a line that ends in the middle of a sentence, and goes on as it would have: what is wrapped reads as if it were not.
 */
const END = /[;。！？؟।]|\n(?:(?![a-z])|(?<![a-z,]\n))|[.!?]["'”’»)\]]{0,2}(?=[\0-\u0020]|$)/g
const QUESTIONS = new Set(Array.from('?？؟', sign => sign.charCodeAt(0)))
const BLANK = 0x20

/** The sentences of a text that matter. Without marked words the text is not cut up at all. */
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

/** Behind the sign that ends the sentence, and what closes with it. */
function findEnd(text: string, from: number): number {
  END.lastIndex = from
  return END.test(text) ? END.lastIndex : text.length
}

function endsInQuestion(text: string, end: number): boolean {
  for (let at = end - 1; at >= end - 3; at -= 1) {
    if (QUESTIONS.has(text.charCodeAt(at))) return !isChoice(text, at)
  }
  return false
}

/** What follows in `a ? b : c`. In French, which has a blank before the sign, too, a new sentence does. */
const CHOICE = /\?\s+(?:[^\sA-Z][^?;]{0,200}?|\S{1,80})\s:\s/y
/** And in `a ?? b`. */
const INSTEAD = /\?\s+(?:["'`[{\d]|[\w.$]{1,80}[;)}])/y

/** Whether a question mark is one of code, which asks nobody. */
function isChoice(text: string, at: number): boolean {
  const isDouble = QUESTIONS.has(text.charCodeAt(at - 1))
  if (text.charCodeAt(isDouble ? at - 2 : at - 1) > BLANK) return false
  const pattern = isDouble ? INSTEAD : CHOICE
  pattern.lastIndex = at
  return pattern.test(text)
}
