import type { Finding } from '../text/finding.ts'
import { locate, type Stretch } from '../text/stretch.ts'
import { findFlood } from './find-flood.ts'
import { findScriptSwitch } from './find-script-switch.ts'
import { findSpelt } from './find-spelt.ts'

interface ShapeRule {
  readonly id: string
  readonly confidence: number
  readonly find: (text: string) => Stretch | undefined
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

/** Text that hides from a reader, poses as a conversation, or floods. */
const SHAPES: readonly ShapeRule[] = [
  { id: 'spelt-in-bits', confidence: 0.75, find: text => locate(BINARY, text) },
  {
    id: 'spelt-in-bits',
    confidence: 0.7,
    find: text => (text.includes('-- ') ? locate(MORSE, text) : undefined),
  },
  { id: 'spelt-in-base64', confidence: 0.6, find: text => findSpelt(text, 'base64') },
  { id: 'spelt-in-base64', confidence: 0.6, find: text => findSpelt(text, 'hex') },
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

/** The one shape that a few words can have. */
export function findChatMark(text: string): readonly Finding[] {
  return text.includes('<') || text.includes('[') ? findShape(POSES_AS_CHAT, text) : NONE
}

function findShape({ id, confidence, find }: ShapeRule, text: string): readonly Finding[] {
  const place = find(text)
  return place === undefined ? NONE : [{ rule: id, ...place, confidence }]
}

/** Questions and answers that end in a question: whoever reads on is to answer it. A FAQ ends in an answer. */
function findOpenTranscript(text: string): Stretch | undefined {
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
const QUESTIONS = new Set(Array.from('?？؟', sign => sign.charCodeAt(0)))
/** Signs that end a sentence wherever they stand, and those that do so at the end of a word only. */
const ENDS = new Set(Array.from('。！？؟।', sign => sign.charCodeAt(0)))
const ENDS_OF_WORDS = new Set(Array.from('.!?', sign => sign.charCodeAt(0)))
const LETTER = /\p{L}/u
const AT_END_OF_WORD = /["'”’]{0,2}(?:\s|$)/y

/**
 * A text of nothing but questions is there to be answered. Counted, not listed: it may be nothing but their signs. In letters
 * a greeting follows the last one, and in code the rest of it.
 */
function findManyQuestions(text: string): Stretch | undefined {
  if (!/[?？؟]/.test(text)) return undefined
  let ends = 0
  let questions = 0
  let last = 0
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (!ENDS.has(code) && !(ENDS_OF_WORDS.has(code) && isAtEndOfWord(text, at + 1))) continue
    ends += 1
    if (!QUESTIONS.has(code)) continue
    questions += 1
    last = at
  }
  if (questions < MANY || questions < ends * 0.8 || LETTER.test(text.slice(last))) return undefined
  return { start: 0, end: text.length }
}

function isAtEndOfWord(text: string, at: number): boolean {
  AT_END_OF_WORD.lastIndex = at
  return AT_END_OF_WORD.test(text)
}
