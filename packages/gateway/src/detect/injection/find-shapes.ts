import type { Finding, TextRange } from '../text/finding.ts'
import { findFlood } from './find-flood.ts'

interface ShapeRule {
  readonly id: string
  readonly confidence: number
  readonly find: (text: string) => TextRange | undefined
}

const BINARY = /(?:[01]{8}[ ,]){7}[01]{8}/
const MORSE = /(?:[.-]{1,5} ){4}(?:[.-]{1,5} |\/ ){3}/
const TURN_OF_TALK = /(?:^|\s)(Q|A|P|R|F|User|Assistant|Human|AI|Bot|System) ?[:：] ?/g
const HAS_TURNS = /[A-Za-z] ?[:：]/
const ASKERS = new Set(['Q', 'P', 'F', 'User', 'Human'])
const CHAT_MARK =
  /<\|(?:im_start|im_end|system|user|assistant|endoftext)\|>|\[\/?INST\]|<<\/?SYS>>|<\/?(?:system|SYSTEM)(?: [A-Z ]{2,20})?>/
const JOINED_STRINGS = /\b[a-z]\d? ?= ?[a-z]\d? ?\+ ?[a-z]\d?\b/i

const POSES_AS_CHAT: ShapeRule = {
  id: 'poses-as-chat',
  confidence: 0.9,
  find: text => locate(CHAT_MARK, text),
}

/** Rules for text that is encoded, imitates a conversation, or repeats endlessly. */
const SHAPES: readonly ShapeRule[] = [
  { id: 'spelt-in-bits', confidence: 0.75, find: text => locate(BINARY, text) },
  {
    id: 'spelt-in-bits',
    confidence: 0.7,
    find: text => (text.includes('-- ') ? locate(MORSE, text) : undefined),
  },
  { id: 'spelt-in-base64', confidence: 0.6, find: text => findEncoded(text, 'base64') },
  { id: 'spelt-in-base64', confidence: 0.6, find: text => findEncoded(text, 'hex') },
  POSES_AS_CHAT,
  { id: 'open-transcript', confidence: 0.6, find: findOpenTranscript },
  {
    id: 'joined-strings',
    confidence: 0.55,
    find: text => (text.includes('+') ? locate(JOINED_STRINGS, text) : undefined),
  },
  { id: 'floods', confidence: 0.6, find: findFlood },
  { id: 'switches-scripts', confidence: 0.6, find: findScriptSwitch },
  { id: 'many-questions', confidence: 0.55, find: findManyQuestions },
]

export function findShapes(text: string): readonly Finding[] {
  return SHAPES.flatMap(shape => findShape(shape, text))
}

const NONE: readonly Finding[] = []

/** Finds the marks of chat templates, the only shape that is checked in short strings. */
export function findChatMark(text: string): readonly Finding[] {
  return text.includes('<') || text.includes('[') ? findShape(POSES_AS_CHAT, text) : NONE
}

function findShape({ id, confidence, find }: ShapeRule, text: string): readonly Finding[] {
  const range = find(text)
  return range === undefined ? NONE : [{ rule: id, ...range, confidence }]
}

/**
 * Finds questions and answers that end with a question, which the model is meant to answer. A list of frequently asked
 * questions ends with an answer.
 */
function findOpenTranscript(text: string): TextRange | undefined {
  if (!HAS_TURNS.test(text)) return undefined
  let turns = 0
  let last: RegExpExecArray | undefined
  for (const turn of text.matchAll(TURN_OF_TALK)) {
    turns += 1
    last = turn
  }
  if (last === undefined || turns < 2 || !ASKERS.has(last[1] ?? '')) return undefined
  return { start: last.index, end: text.length }
}

const MANY = 4
const QUESTION = /[?？؟]/
/** Matches punctuation that always ends a sentence, and punctuation that does so only at the end of a word. */
const ENDS = /[。！？؟।]|[.!?](?=["'”’]{0,2}(?:\s|$))/g
const LETTER = /\p{L}/u

/**
 * Finds a text that consists only of questions, which the model is meant to answer. In letters and in code, other text
 * follows the last question. Questions are counted and not collected, because a text can consist of nothing but
 * question marks.
 */
function findManyQuestions(text: string): TextRange | undefined {
  if (!QUESTION.test(text)) return undefined
  let ends = 0
  let questions = 0
  let last = 0
  for (const { 0: sign, index } of text.matchAll(ENDS)) {
    ends += 1
    if (!QUESTION.test(sign)) continue
    questions += 1
    last = index
  }
  if (questions < MANY || questions < ends * 0.8 || LETTER.test(text.slice(last))) return undefined
  return { start: 0, end: text.length }
}

function locate(pattern: RegExp, text: string): TextRange | undefined {
  const match = pattern.exec(text)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}

const ENCODINGS = {
  base64: /(?<![\w+/=-])[A-Za-z0-9+/]{20,400}={0,2}(?![\w+/=-])/g,
  hex: /(?<!\w)(?:[0-9a-f]{2}){16,200}(?!\w)/gi,
} as const
const READABLE = /^[\x20-\x7E\n]*$/

/** Finds characters that decode to words separated by spaces. Ordinary text contains no encoded sentences. */
function findEncoded(text: string, code: keyof typeof ENCODINGS): TextRange | undefined {
  if (text.search(ENCODINGS[code]) === -1) return undefined
  for (const { 0: written, index } of text.matchAll(ENCODINGS[code])) {
    const decoded = Buffer.from(written, code).toString('latin1')
    const spaces = decoded.split(' ').length - 1
    const isSentence = spaces > 1 && spaces * 16 > decoded.length && READABLE.test(decoded)
    if (isSentence) return { start: index, end: index + written.length }
  }
  return undefined
}

/**
 * Ranges of Unicode blocks, one for each script. Kana and Chinese characters count as one script, because Japanese
 * mixes them. Latin is not listed, because it is mixed with every other script.
 */
const BLOCKS: readonly (readonly [first: number, last: number])[] = [
  [0x0370, 0x03ff],
  [0x0400, 0x052f],
  [0x0590, 0x05ff],
  [0x0600, 0x06ff],
  [0x0900, 0x097f],
  [0x0980, 0x09ff],
  [0x0e00, 0x0e7f],
  [0x3040, 0x30ff],
  [0xac00, 0xd7a3],
]
const NO_SCRIPT = -1
/** The script number of every UTF-16 code unit. */
const SCRIPTS = new Int8Array(0x1_0000).fill(NO_SCRIPT)
for (const [script, [first, last]] of BLOCKS.entries()) SCRIPTS.fill(script, first, last + 1)
/** Minimum number of letters in a run. Shorter runs can be a name or a sample. */
const MIN_RUN = 6

/** Finds a switch between two scripts that no language mixes. Works in one pass. */
function findScriptSwitch(text: string): TextRange | undefined {
  let known = NO_SCRIPT
  let script = NO_SCRIPT
  let start = 0
  let run = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code === 0x20) continue
    const next = SCRIPTS[code] ?? NO_SCRIPT
    if (next !== script) {
      script = next
      start = at
      run = 0
    }
    run += 1
    if (script === NO_SCRIPT || run < MIN_RUN || script === known) continue
    if (known !== NO_SCRIPT) return { start, end: at + 1 }
    known = script
  }
  return undefined
}
