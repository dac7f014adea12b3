import { toCompatible } from '@hintgate/metadata'
import { type Finding, LIKELY, settle } from './finding.ts'
import { COLOUR, CONTROLS, OTHER_CONTROLS, STARTS_AND_ENDS, TERMINAL_CODE, UNSEEN } from './terminal-codes.ts'

interface HiddenRule {
  readonly id: string
  /** A cheap pattern that is tried first. If it does not match, the slower `pattern` is skipped. */
  readonly sign?: RegExp
  readonly pattern: RegExp
  readonly confidence: number
}

const EMOJI = '\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F'
/** Scripts in which zero-width joiners between letters are legitimate. */
const JOINING =
  'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Malayalam Mongolian Oriya Sinhala Tamil Telugu'
    .split(' ')
    .map(script => `\\p{Script=${script}}`)
    .join('')
/**
 * Cyrillic and Greek letters that look like Latin ones. Greek letters used for quantities (Δt, kΩ) are left out,
 * because they are legitimate.
 */
const ALIKE = '[\\u0400-\\u04FFΑΒΕΖΗΙΚΜΝΟΡΤΥΧο]'
const TAGS = '\\u{E0000}-\\u{E007F}'
const DIRECTIONS = '\\u202A-\\u202E\\u2066-\\u2069'
/** Characters that have no width or no glyph. Legitimate text does not contain them. */
const NO_WIDTH =
  '\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u180E\\u034F\\u115F\\u1160\\u17B4\\u17B5\\u3164\\uFFA0\\uFFF0-\\uFFFB\\u{1BCA0}-\\u{1BCA3}\\u{1D173}-\\u{1D17A}\\u{E0080}-\\u{E00FF}\\u{E01F0}-\\u{E0FFF}\\p{Noncharacter_Code_Point}'

/**
 * Each lookbehind stands after the first matched character. In front of it, the lookbehind would run at every letter.
 */
const ZERO_WIDTH = new RegExp(
  `[${NO_WIDTH}]+|\\uFEFF(?<=.\\uFEFF)\\uFEFF*|[\\u200C\\u200D](?<![${EMOJI}${JOINING}\\p{M}].)[\\u200C\\u200D]*(?![${JOINING}\\p{M}])`,
  'gu',
)
/** Suspicious variation selectors: several in a row, or one after a character that has no variants or is invisible. */
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
 * Rules for text that people cannot see but models read. They match the same kinds of text as the rules for tool
 * descriptions. Characters that are common in other languages (soft hyphens, direction marks) get a low confidence
 * here.
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

/** The flag emoji of England, Scotland and Wales. They are the only legitimate use of tag characters. */
const FLAG =
  '\\u{1F3F4}\\u{E0067}\\u{E0062}(?:\\u{E0065}\\u{E006E}\\u{E0067}|\\u{E0073}\\u{E0063}\\u{E0074}|\\u{E0077}\\u{E006C}\\u{E0073})\\u{E007F}'
const HONEST = new RegExp(`${FLAG}|${COLOUR}`, 'gu')

export const NOT_PLAIN = /[^\t\n\r\u0020-\u007E]/
/** Variation selectors and joiners inside emoji, where they are legitimate. */
const IN_EMOJI =
  '\\p{Extended_Pictographic}\\uFE0F|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?\\u200D(?=\\p{Extended_Pictographic})'
/** Matches any character that a rule or a reading handles. Ordinary text contains none. */
export const SUSPECT = new RegExp(`[${UNSEEN}](?<!${IN_EMOJI})|${MIXED_LETTERS.source}`, 'u')

/**
 * Maximum number of findings that are listed separately, so that a text full of hidden characters cannot fill the
 * memory.
 */
const MANY = 10_000

/** A cheap check for characters that can hide text. Most texts contain none and need no further search. */
export function mayHide(text: string): boolean {
  return NOT_PLAIN.test(text) && SUSPECT.test(text)
}

/**
 * Finds control, direction, tag and zero-width characters, and words that mix look-alike letters. Findings above the
 * maximum are combined into one, which covers the rest of the text and has the highest confidence found there.
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

/** Text that is always hidden. The first group captures legitimate sequences, which are kept. */
const ALWAYS_HIDDEN = new RegExp(
  `(${HONEST.source})|${TERMINAL_CODE}|[${TAGS}${DIRECTIONS}${NO_WIDTH}${OTHER_CONTROLS}\\p{Co}]+|[${STARTS_AND_ENDS}]`,
  'gu',
)
export const ALL_UNSEEN = new RegExp(`(?:${TERMINAL_CODE}|[${UNSEEN}])+`, 'gu')
const UNSEEN_OR_COLOURS = new RegExp(`(?:${COLOUR}|[${UNSEEN}])+`, 'gu')

/**
 * Removes every invisible character. Among terminal codes it removes only colours, because other codes contain text.
 */
function dropUnseen(text: string): string {
  return NOT_PLAIN.test(text) ? text.replaceAll(UNSEEN_OR_COLOURS, '') : text
}

/**
 * Removes everything that `findHiddenText` reports as likely. If hidden text remains, it was nested inside other hidden
 * characters. In that case all invisible characters are removed, even legitimate ones.
 * @example
 * stripHidden('pass\u200Bword') // => 'password'
 */
export function stripHidden(text: string): string {
  // The order matters: removing one kind can bring together characters that form the next kind.
  const stripped = [VARIATIONS, ZERO_WIDTH, LOOK_ALIKES].reduce(
    (left, pattern) => left.replaceAll(pattern, ''),
    text.replaceAll(ALWAYS_HIDDEN, '$1'),
  )
  const isDone = findHiddenText(stripped).every(({ confidence }) => confidence < LIKELY)
  return isDone ? stripped : stripped.replaceAll(ALL_UNSEEN, '').replaceAll(LOOK_ALIKES, '')
}

const FORMATS = /\p{Cf}/gu

/**
 * Removes invisible characters and converts full-width letters, because both can hide a number, a key or a host from a
 * blocking rule. Most texts are returned unchanged.
 */
export function toPlain(text: string): string {
  // The removal runs again at the end, because the conversion can produce invisible characters.
  return NOT_PLAIN.test(text) ? dropUnseen(toCompatible(dropUnseen(text)).replaceAll(FORMATS, '')) : text
}
