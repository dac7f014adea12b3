import { type Finding, settle } from './finding.ts'

interface HiddenRule {
  readonly id: string
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
const NO_WIDTH = '\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u180E\\u034F\\u115F\\u1160\\u3164\\uFFA0'

/**
 * What a person does not see and a model reads. The same kinds as in tool descriptions; a result may hold more
 * of the world's writing, so marks that honest texts have (soft hyphens, direction marks) weigh little here.
 */
const RULES: readonly HiddenRule[] = [
  { id: 'tag-characters', pattern: /[\u{E0000}-\u{E007F}]+/gu, confidence: 0.95 },
  { id: 'bidi-control', pattern: /[\u202A-\u202E\u2066-\u2069]+/g, confidence: 0.8 },
  {
    id: 'zero-width-character',
    pattern: new RegExp(
      `[${NO_WIDTH}]+|(?<=.)\\uFEFF+|(?<![${EMOJI}${JOINING}\\p{M}])[\\u200C\\u200D]+(?![${JOINING}\\p{M}])`,
      'gu',
    ),
    confidence: 0.7,
  },
  {
    id: 'variation-selectors',
    pattern: /[\u{E0100}-\u{E01EF}]{2,}|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu,
    confidence: 0.9,
  },
  { id: 'control-character', pattern: /(?:(?![\t\n\r])\p{Cc})+/gu, confidence: 0.7 },
  {
    id: 'look-alike-letters',
    pattern: new RegExp(`(?<!\\p{L})(?:[a-zA-Z]{1,60}${ALIKE}|${ALIKE}{1,60}[a-zA-Z])\\p{L}{0,60}`, 'gu'),
    confidence: 0.6,
  },
  { id: 'private-use-character', pattern: /\p{Co}+/gu, confidence: 0.5 },
  { id: 'invisible-mark', pattern: /[\u00AD\u200E\u200F\u061C]+/g, confidence: 0.3 },
]

/** The flags of England, Scotland and Wales are spelt with tags. Any other spelling shows as a black flag. */
const FLAGS =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu
const NOT_PLAIN = /[^\t\n\r\u0020-\u007E]/
/** Any character that a rule is about: nearly all writing of the world has none of them. */
const SUSPECT = new RegExp(
  `(?![\\t\\n\\r])[\\p{Cc}\\p{Co}${NO_WIDTH}\\u00AD\\u061C\\u200C-\\u200F\\u202A-\\u202E\\u2066-\\u2069\\uFE00-\\uFE0F\\uFEFF\\u{E0000}-\\u{E01EF}]|[a-zA-Z]${ALIKE}|${ALIKE}[a-zA-Z]`,
  'u',
)
/** Colours on a terminal, which many tools print: their escape is the one control that is not a trick. */
const COLOUR = /\p{Cc}\[[\d;]{0,12}m/gu
const ESCAPE = '\u001B'

/** Control, direction, tag and zero-width characters, and words that mix look-alike letters. */
export function findHiddenText(whole: string): readonly Finding[] {
  if (!NOT_PLAIN.test(whole) || !SUSPECT.test(whole)) return []
  const text = whole
    .replaceAll(FLAGS, blank)
    .replaceAll(COLOUR, run => (run.startsWith(ESCAPE) ? blank(run) : run))
  const found = RULES.flatMap(({ id, pattern, confidence }) =>
    Array.from(text.matchAll(pattern), ({ 0: run, index }) => ({
      rule: id,
      start: index,
      end: index + run.length,
      confidence,
    })),
  )
  return settle(found)
}

function blank(run: string): string {
  return '.'.repeat(run.length)
}
