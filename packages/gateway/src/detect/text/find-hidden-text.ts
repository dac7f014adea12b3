import { toCompatible } from '@hintgate/metadata'
import { type Finding, LIKELY, settle } from './finding.ts'
import { COLOUR, CONTROLS, OTHER_CONTROLS, STARTS_AND_ENDS, TERMINAL_CODE, UNSEEN } from './terminal-codes.ts'

interface HiddenRule {
  readonly id: string
  /** Without it in the text the pattern, which takes longer, need not be tried. */
  readonly sign?: RegExp
  readonly pattern: RegExp
  readonly confidence: number
}

const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F'
/** Scripts whose spelling needs joiners: between their letters one hides nothing. */
const JOINING =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Malayalam Mongolian Oriya Sinhala Tamil Telugu'
    .split(' ')
    .map(script => `\\p{Script=${script}}`)
    .join('')
/** Cyrillic and Greek letters that pass for Latin ones. Not those that stand for quantities: Δt and kΩ are honest. */
const ALIKE = '[\\u0400-\\u04FFΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]'
const TAGS = '\\u{E0000}-\\u{E007F}'
const DIRECTIONS = '\\u202A-\\u202E\\u2066-\\u2069'
/** What has no width, and what no font has a shape for: nobody honest writes either. */
const NO_WIDTH =
  '\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u180E\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u3164\\uFFA0\\uFFF0-\\uFFFB\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0080}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}\\p{Noncharacter_Code_Point}'

/** What may not stand before is asked behind the first character: asked before it, it would be asked at every letter. */
const ZERO_WIDTH = new RegExp(
  `[${NO_WIDTH}]+|\\uFEFF(?<=.\\uFEFF)\\uFEFF*|[\\u200C\\u200D](?<![${EMOJI}${JOINING}\\p{M}].)[\\u200C\\u200D]*(?![${JOINING}\\p{M}])`,
  'gu',
)
/** Many in a row, or one where there is nothing that it could be a variant of: behind letters that have none, or behind what nobody sees. */
const VARIATIONS = new RegExp(
  `[\\u{E0100}-\\u{E01EF}]{2,}|[\\uFE00-\\uFE0F\\u{E0100}-\\u{E01EF}]{3,}|[\\u{E0100}-\\u{E01EF}](?<!\\p{Script=Han}.)|[\\uFE00-\\uFE0D](?<=(?:^|[\\t-\\r -/:-~\\p{Script=Latin}\\p{Script=Greek}\\p{Script=Cyrillic}${UNSEEN}]).)`,
  'gu',
)
const LOOK_ALIKES = new RegExp(
  `(?:[a-zA-Z](?<!\\p{L}.)[a-zA-Z]{0,59}${ALIKE}|${ALIKE}(?<!\\p{L}.)${ALIKE}{0,59}[a-zA-Z])\\p{L}*`,
  'gu',
)
const MIXED_LETTERS = new RegExp(`[a-zA-Z]${ALIKE}|${ALIKE}[a-zA-Z]`)

/**
 * What a person does not see and a model reads. The same kinds as in tool descriptions; a result may hold more
 * of the world's writing, so marks that honest texts have (soft hyphens, direction marks) weigh little here.
 */
const RULES: readonly HiddenRule[] = [
  { id: 'tag-characters', pattern: new RegExp(`[${TAGS}]+`, 'gu'), confidence: 0.95 },
  { id: 'bidi-control', pattern: new RegExp(`[${DIRECTIONS}]+`, 'g'), confidence: 0.8 },
  { id: 'zero-width-character', pattern: ZERO_WIDTH, confidence: 0.7 },
  { id: 'variation-selectors', pattern: VARIATIONS, confidence: 0.9 },
  { id: 'control-character', pattern: new RegExp(`[${CONTROLS}]+`, 'g'), confidence: 0.7 },
  { id: 'look-alike-letters', sign: MIXED_LETTERS, pattern: LOOK_ALIKES, confidence: 0.6 },
  { id: 'private-use-character', pattern: /\p{Co}+/gu, confidence: 0.5 },
  { id: 'invisible-mark', pattern: /[\u00AD\u200E\u200F\u061C]+/g, confidence: 0.3 },
]

/** The flags of England, Scotland and Wales are spelt with tags. Any other spelling shows as a black flag. */
const FLAG =
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}'
const HONEST = new RegExp(`${FLAG}|${COLOUR}`, 'gu')

export const NOT_PLAIN = /[^\t\n\r\u0020-\u007E]/
/** What an emoji is spelt with: its colour, and the joint to the next one. */
const IN_EMOJI =
  '\\p{Extended_Pictographic}\\uFE0F|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?\\u200D(?=\\p{Extended_Pictographic})'
/** Any character that a rule or a reading is about: nearly all writing of the world has none of them. */
export const SUSPECT = new RegExp(`[${UNSEEN}](?<!${IN_EMOJI})|${MIXED_LETTERS.source}`, 'u')

/** More findings than this tell a reader nothing new. */
const MANY = 10_000

/** Whether a text has to be looked at more closely at all. Hardly any has; finding out is cheap. */
export function mayHide(text: string): boolean {
  return NOT_PLAIN.test(text) && SUSPECT.test(text)
}

/**
 * Control, direction, tag and zero-width characters, and words that mix look-alike letters. Of very many only the first
 * are told one by one; the rest of the text then counts as one, as sure as the surest in it.
 */
export function findHiddenText(whole: string): readonly Finding[] {
  if (!mayHide(whole)) return []
  const text = whole.replaceAll(HONEST, blank)
  const found = settle(RULES.flatMap(rule => findRuns(rule, text)))
  const rest = found.slice(MANY)
  const [first] = rest
  if (first === undefined) return found
  const surest = rest.reduce((a, b) => (b.confidence > a.confidence ? b : a))
  return [...found.slice(0, MANY), { ...surest, start: first.start, end: text.length }]
}

function findRuns({ id, sign, pattern, confidence }: HiddenRule, text: string): readonly Finding[] {
  const found: Finding[] = []
  if (sign?.test(text) === false) return found
  for (const { 0: run, index } of text.matchAll(pattern)) {
    found.push({ rule: id, start: index, end: index + run.length, confidence })
    if (found.length > MANY) break
  }
  return found
}

function blank(run: string): string {
  return '.'.repeat(run.length)
}

/** Hidden wherever it stands. What is honest is caught first, to be put back. */
const ALWAYS_HIDDEN = new RegExp(
  `(${HONEST.source})|${TERMINAL_CODE}|[${TAGS}${DIRECTIONS}${NO_WIDTH}${OTHER_CONTROLS}\\p{Co}]+|[${STARTS_AND_ENDS}]`,
  'gu',
)
export const ALL_UNSEEN = new RegExp(`(?:${TERMINAL_CODE}|[${UNSEEN}])+`, 'gu')
const UNSEEN_OR_COLOURS = new RegExp(`(?:${COLOUR}|[${UNSEEN}])+`, 'gu')

/** The text without any character that nobody sees, honest or not. Of codes for terminals only colours: others have texts in them. */
function dropUnseen(text: string): string {
  return NOT_PLAIN.test(text) ? text.replaceAll(UNSEEN_OR_COLOURS, '') : text
}

/**
 * The text without anything likely that `findHiddenText` finds. A text that still hides something then had it hidden
 * behind other hidden characters; it keeps none at all, not even honest ones.
 *
 * @example
 * stripHidden('pass\u200Bword') // => 'password'
 */
export function stripHidden(text: string): string {
  // In this order: what is taken out first may have stood between what is looked for next.
  const stripped = [VARIATIONS, ZERO_WIDTH, LOOK_ALIKES].reduce(
    (left, pattern) => left.replaceAll(pattern, ''),
    text.replaceAll(ALWAYS_HIDDEN, '$1'),
  )
  const isDone = findHiddenText(stripped).every(({ confidence }) => confidence < LIKELY)
  return isDone ? stripped : stripped.replaceAll(ALL_UNSEEN, '').replaceAll(LOOK_ALIKES, '')
}

const FORMATS = /\p{Cf}/gu

/**
 * A text without what shows nothing, and with wide letters as plain ones: neither must hide a number, a key or a host from
 * a rule that blocks. Mostly the text itself.
 */
export function toPlain(text: string): string {
  // Once more at the end: what is unseen may come out only then.
  return NOT_PLAIN.test(text) ? dropUnseen(toCompatible(dropUnseen(text)).replaceAll(FORMATS, '')) : text
}
