import { hasLookAlike, isLookAlike } from './look-alikes.ts'
import type { TextFinding } from './scan-finding.ts'
import { type ScanRule, toFinding } from './scan-rule.ts'

interface HiddenRule extends ScanRule {
  readonly pattern: RegExp
}

const EMOJI = '[\\p{Extended_Pictographic}\\p{Emoji_Modifier}\\uFE0F]'
/** Scripts that need zero-width joiners. Between letters of these scripts, a joiner is legitimate. */
const JOINING = `[${'Arabic Bengali Devanagari Gujarati Gurmukhi Kannada Malayalam Mongolian Oriya Sinhala Tamil Telugu'
  .split(' ')
  .map(script => `\\p{Script=${script}}`)
  .join('')}\\p{M}]`
const NO_WIDTH =
  '[\\u200B\\u2060-\\u2065\\u206A-\\u206F\\u180E\\u034F\\u115F\\u1160\\u3164\\uFFA0\\u{1D173}-\\u{1D17A}]'

/** No pattern contains nested repetitions, so each reads a text only once. */
export const HIDDEN_RULES: readonly HiddenRule[] = [
  {
    id: 'tag-characters',
    severity: 'high',
    reason: 'invisible tag characters, which spell text that only a model reads',
    pattern: /[\u{E0000}-\u{E007F}]+/gu,
  },
  {
    id: 'bidi-control',
    severity: 'high',
    reason: 'bidirectional controls, which display text in a different order',
    pattern: /[\u202A-\u202E\u2066-\u2069]+/g,
  },
  {
    id: 'zero-width-character',
    severity: 'high',
    reason: 'zero-width characters, which hide text or split words',
    pattern: new RegExp(
      `${NO_WIDTH}+|(?<!^)\\uFEFF+|(?<!${EMOJI}|${JOINING})[\\u200C\\u200D]+(?!${JOINING})`,
      'gu',
    ),
  },
  {
    id: 'variation-selectors',
    severity: 'high',
    reason: 'a run of variation selectors, which can encode hidden bytes',
    pattern: /[\u{E0100}-\u{E01EF}]{2,}|[\uFE00-\uFE0F\u{E0100}-\u{E01EF}]{3,}/gu,
  },
  {
    id: 'private-use-character',
    severity: 'high',
    reason: 'private-use characters, which have no agreed shape',
    pattern: /\p{Co}+/gu,
  },
  {
    id: 'control-character',
    severity: 'high',
    reason: 'control characters, which can rewrite what a terminal shows',
    pattern: /(?:(?![\t\n\r])\p{Cc})+/gu,
  },
  {
    id: 'broken-character',
    severity: 'low',
    reason: 'half of a surrogate pair, which no valid text contains',
    pattern: /\p{Cs}+/gu,
  },
  {
    id: 'invisible-mark',
    severity: 'low',
    reason: 'invisible marks',
    pattern: /[\u00AD\u200E\u200F\u061C\u2028\u2029]+/g,
  },
  {
    id: 'styled-letters',
    severity: 'medium',
    reason: 'letters of a mathematical, wide or enclosed alphabet in place of plain ones',
    pattern: /[\u{1D400}-\u{1D7FF}\u24B6-\u24E9\uFF21-\uFF3A\uFF41-\uFF5A\u{1F130}-\u{1F149}]{3,}/gu,
  },
]

export const LOOK_ALIKE_RULE: ScanRule = {
  id: 'look-alike-letters',
  severity: 'high',
  reason: 'a word that mixes Latin letters with look-alikes from another script',
}

/**
 * The three flags that Unicode encodes with tag characters: England, Scotland and Wales. Other tag sequences are
 * displayed as a black flag.
 */
const FLAGS =
  /\u{1F3F4}\u{E0067}\u{E0062}(?:\u{E0065}\u{E006E}\u{E0067}|\u{E0073}\u{E0063}\u{E0074}|\u{E0077}\u{E006C}\u{E0073})\u{E007F}/gu

/** Matches anything but plain text. Most text is plain and needs no search. */
const NOT_PLAIN = /[^\t\n\r\u0020-\u007E]/

/** Finds characters that are invisible, or that look like other characters. */
export function findHiddenCharacters(whole: string): readonly TextFinding[] {
  if (!NOT_PLAIN.test(whole)) return []
  const text = whole.replaceAll(FLAGS, flag => '.'.repeat(flag.length))
  const found = HIDDEN_RULES.flatMap(rule => describeRuns(rule, text))
  return [...found, ...findMixedScripts(text)]
}

/** Returns one finding for a rule: the first run of such characters, with their total number in the text. */
function describeRuns(rule: HiddenRule, text: string): readonly TextFinding[] {
  const runs = [...text.matchAll(rule.pattern)]
  const first = runs[0]
  if (first === undefined) return []
  const count = runs.reduce((sum, [run]) => sum + Array.from(run).length, 0)
  const finding = toFinding(rule, [first.index, first.index + first[0].length])
  const severity = rule.id === COPIED && isCopied(text, runs) ? 'medium' : rule.severity
  return [{ ...finding, severity, reason: `${rule.reason} (${count} in this text)` }]
}

/** Text that was copied from a web page can have one or two of these characters at the edge of a word. */
const COPIED = 'zero-width-character'
const MAX_COPIED = 2

/** True for a few short runs that split no word and are too short to encode anything. */
function isCopied(text: string, runs: readonly RegExpExecArray[]): boolean {
  const isEdge = (character: string): boolean => character === '' || /\s/.test(character)
  return (
    runs.length <= MAX_COPIED &&
    runs.every(
      ({ 0: run, index }) =>
        run.length <= MAX_COPIED &&
        (isEdge(text.charAt(index - 1)) || isEdge(text.charAt(index + run.length))),
    )
  )
}

function findMixedScripts(text: string): readonly TextFinding[] {
  if (!hasLookAlike(text)) return []
  for (const { 0: word, index } of text.matchAll(/\p{L}+/gu)) {
    const latin = word.match(/[a-z]/gi)?.length ?? 0
    const isMixed = latin > 1 && Array.from(word).some(isLookAlike)
    if (isMixed) return [toFinding(LOOK_ALIKE_RULE, [index, index + word.length])]
  }
  return []
}

/** Returns the text that tag characters encode. */
export function readTags(text: string): string {
  let spelt = ''
  for (const { 0: tag } of text.matchAll(/[\u{E0020}-\u{E007E}]/gu)) {
    spelt += String.fromCharCode((tag.codePointAt(0) ?? 0) - 0xe0000)
  }
  return spelt
}
