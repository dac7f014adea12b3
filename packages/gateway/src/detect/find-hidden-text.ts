import { type Finding, LIKELY, settle } from './finding.ts'
import {
  COLOUR,
  CONTROLS,
  OTHER_CONTROLS,
  STARTS_AND_ENDS,
  TERMINAL_CODE,
  UNSEEN,
  UNSEEN_IN_CODES,
} from './terminal-codes.ts'

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

const NOT_PLAIN = /[^\t\n\r\u0020-\u007E]/
/** What an emoji is spelt with: its colour, and the joint to the next one. */
const IN_EMOJI =
  '\\p{Extended_Pictographic}\\uFE0F|[\\p{Extended_Pictographic}\\p{Emoji_Modifier}]\\uFE0F?\\u200D(?=\\p{Extended_Pictographic})'
/** Any character that a rule or a reading is about: nearly all writing of the world has none of them. */
const SUSPECT = new RegExp(`[${UNSEEN}](?<!${IN_EMOJI})|${MIXED_LETTERS.source}`, 'u')

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
const ALL_UNSEEN = new RegExp(`(?:${TERMINAL_CODE}|[${UNSEEN}])+`, 'gu')
const UNSEEN_OR_COLOURS = new RegExp(`(?:${COLOUR}|[${UNSEEN}])+`, 'gu')

/** The text without any character that nobody sees, honest or not. Of codes for terminals only colours: others have texts in them. */
export function dropUnseen(text: string): string {
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

/** A text as somebody may take it, and where in the text each character stands that is read. */
export interface Reading {
  readonly text: string
  readonly places: () => Int32Array
}

const LETTER_TAGS = '[\\u{E0020}-\\u{E007E}]'
const HAS_LETTER_TAGS = new RegExp(LETTER_TAGS, 'u')
const TAGS_OR_UNSEEN = new RegExp(`${LETTER_TAGS}+|(?:${COLOUR}|(?!${LETTER_TAGS})[${UNSEEN}])+`, 'gu')
const HAS_TERMINAL_CODE = new RegExp(TERMINAL_CODE, 'u')
const IN_CODES = new RegExp(`${UNSEEN_IN_CODES}+`, 'gu')

const NONE: readonly Reading[] = []

/** Whether there are other ways to read a text. */
export function hasReadings(text: string): boolean {
  return NOT_PLAIN.test(text) ? DRESSED.test(text) || SUSPECT.test(text) : CODES.test(text)
}

/**
 * The other ways to read a text, mostly none: without all that nobody sees, with its tags for the letters they spell, and
 * each of them, and the text itself, with letters in plain dress. A model reads every one of them.
 */
export function readingsOf(text: string): readonly Reading[] {
  const isPlain = !NOT_PLAIN.test(text)
  if (isPlain && !CODES.test(text)) return NONE
  const unhidden = isPlain || !SUSPECT.test(text) ? NONE : readUnhidden(text)
  const plain = DRESSED.test(text) ? [readPlain(text)] : NONE
  return [...plain, ...unhidden, ...unhidden.flatMap(readPlainToo)]
}

/** A letter, a digit, a dash, a dot or a `_` by its number, in JSON, in programs, in links and on pages: nobody honest writes it so. */
const LETTER_CODE = '(?:2[DEde]|3\\d|[46][1-9A-Fa-f]|5[\\dAFaf]|7[\\dAa])'
const CODES = new RegExp(
  `\\\\u00${LETTER_CODE}|\\\\x${LETTER_CODE}|\\\\u\\{0{0,4}${LETTER_CODE}\\}|%${LETTER_CODE}|&#[xX]0{0,4}${LETTER_CODE};|&#0{0,4}(?:4[5689]|5[0-7]|6[5-9]|[78]\\d|9[05789]|1[01]\\d|12[0-2]);`,
)
const SMALL_CAPITALS: ReadonlyMap<string, string> = new Map(
  [...'ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘʀꜱᴛᴜᴠᴡʏᴢ'].map((capital, at) => [capital, 'abcdefghijklmnoprstuvwyz'.charAt(at)]),
)
/** Wide, in circles, raised, lowered, as small capitals; and marks on letters, of which none is left in plain dress. */
const DRESSED_UNIT = `\\uFF01-\\uFF5E\\u2460-\\u24FF\\u2070-\\u209C\\u02B0-\\u02B8\\u02E0-\\u02E4\\u1D2C-\\u1D6A\\u1D9B-\\u1DBF\\u0300-\\u036F${[...SMALL_CAPITALS.keys()].join('')}`
/** Letters and digits in other dress: those, bold ones, and by their numbers. */
const DRESSED = new RegExp(`[${DRESSED_UNIT}\\u{1D400}-\\u{1D7FF}\\u{1F130}-\\u{1F189}]|${CODES.source}`, 'u')
const CODE_HERE = new RegExp(CODES.source, 'y')
/** `⒇` is four letters long when it is read. */
const MOST_LETTERS = 4

/** In plain dress. One pass, however many letters wear another. */
function readPlain(text: string): Reading {
  const letters = new Uint16Array(text.length * MOST_LETTERS)
  const places = new Int32Array(letters.length + 1)
  let count = 0
  for (let at = 0; at < text.length; ) {
    const dress = dressAt(text, at)
    const plain = dress === 0 ? undefined : undress(text.slice(at, at + dress))
    const length = plain?.length ?? 1
    for (let letter = 0; letter < length; letter += 1) {
      letters[count] = plain === undefined ? text.charCodeAt(at) : plain.charCodeAt(letter)
      places[count] = at
      count += 1
    }
    at += Math.max(1, dress)
  }
  places[count] = text.length
  return {
    text: Buffer.from(letters.buffer, 0, count * 2).toString('utf16le'),
    places: () => places.subarray(0, count + 1),
  }
}

/** How many units are one letter in other dress; none where that is plain. The same letters as `DRESSED` has. */
function dressAt(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) {
    if (code !== BACKSLASH && code !== PERCENT && code !== AMPERSAND) return 0
    CODE_HERE.lastIndex = at
    return CODE_HERE.test(text) ? CODE_HERE.lastIndex - at : 0
  }
  if (isDressed(code)) return 1
  const low = code === 0xd835 || code === 0xd83c ? text.charCodeAt(at + 1) : 0
  if (code === 0xd835) return low >= 0xdc00 && low <= 0xdfff ? 2 : 0
  return code === 0xd83c && low >= 0xdd30 && low <= 0xdd89 ? 2 : 0
}

const UNIT = new RegExp(`[${DRESSED_UNIT}]`)
/** By the number of a unit; made when it is first needed. */
let dressedUnits: Uint8Array | undefined

function isDressed(code: number): boolean {
  dressedUnits ??= Uint8Array.from({ length: 0x10000 }, (_, unit) =>
    UNIT.test(String.fromCharCode(unit)) ? 1 : 0,
  )
  return dressedUnits[code] === 1
}

const AMPERSAND = 38
const PERCENT = 37
const BACKSLASH = 92

/** There are no more than two thousand of them. */
const undressed = new Map<string, string>()

function undress(dressed: string): string {
  const known = undressed.get(dressed)
  if (known !== undefined) return known
  const plain = dressed.length <= 2 ? strip(dressed) : decode(dressed)
  undressed.set(dressed, plain)
  return plain
}

function strip(dressed: string): string {
  return SMALL_CAPITALS.get(dressed) ?? dressed.normalize('NFKC').replaceAll(/[\u0300-\u036F]/g, '')
}

function decode(dressed: string): string {
  const code = dressed.replaceAll(/[^\dA-Fa-f]/g, '')
  return String.fromCharCode(Number.parseInt(code, /^&#\d/.test(dressed) ? 10 : 16))
}

/** A reading of a reading, with its places in the text. */
function readPlainToo(reading: Reading): readonly Reading[] {
  if (!DRESSED.test(reading.text)) return NONE
  const { text, places } = readPlain(reading.text)
  return [
    {
      text,
      places: () => {
        const inText = reading.places()
        return places().map(place => inText[place] ?? 0)
      },
    },
  ]
}

function readUnhidden(text: string): readonly Reading[] {
  const unhidden = readBy(text, ALL_UNSEEN, () => '')
  if (unhidden.text === text) return NONE
  const tags = HAS_LETTER_TAGS.test(text) ? [readBy(text, TAGS_OR_UNSEEN, spellTags)] : NONE
  return [unhidden, ...readTerminalCodes(text), ...tags]
}

/**
 * With blanks for codes that terminals obey: they part words, too. And with the codes as they are written, where other
 * characters that nobody sees may stand in them: a model reads what a terminal does not show.
 */
function readTerminalCodes(text: string): readonly Reading[] {
  if (!HAS_TERMINAL_CODE.test(text)) return NONE
  const parted = readBy(text, ALL_UNSEEN, run => (HAS_TERMINAL_CODE.test(run) ? ' ' : ''))
  const asWritten = readBy(text, IN_CODES, () => '')
  return asWritten.text === text ? [parted] : [parted, asWritten]
}

/** Every run that a pattern has is spelt in another way. Of its letters there is one for two units, or one in all. */
function readBy(text: string, pattern: RegExp, spell: (run: string) => string): Reading {
  const read = text.replaceAll(pattern, run => spell(run))
  const places = (): Int32Array => {
    const all = new Int32Array(read.length + 1)
    let at = 0
    let place = 0
    for (const { 0: run, index } of text.matchAll(pattern)) {
      while (place < index) all[at++] = place++
      const letters = spell(run).length
      for (let letter = 0; letter < letters; letter += 1) all[at++] = index + 2 * letter
      place = index + run.length
    }
    // Behind the last character comes the end of the text.
    while (at <= read.length) all[at++] = place++
    return all
  }
  return { text: read, places }
}

/** Every tag is two units, of which the second one counts in the order of ASCII. What is no tags is nothing. */
function spellTags(tags: string): string {
  let spelt = ''
  if (!HAS_LETTER_TAGS.test(tags)) return spelt
  for (let at = 1; at < tags.length; at += 2) spelt += String.fromCharCode(tags.charCodeAt(at) - 0xdc00)
  return spelt
}

/**
 * What a search finds in a text as it is written and in its other readings. The places are those in the text as it is
 * written.
 *
 * @example
 * findInReadings('a@exam\u200Bple.com', findPii, readings) // => [{ rule: 'email', start: 0, end: 14, … }]
 */
export function findInReadings(
  text: string,
  find: (text: string) => readonly Finding[],
  readings: readonly Reading[],
): readonly Finding[] {
  const found = find(text)
  if (readings.length === 0) return found
  const more = readings.flatMap(reading => placeBack(find(reading.text), reading))
  return joinByRule([...found, ...more])
}

function placeBack(found: readonly Finding[], reading: Reading): readonly Finding[] {
  if (found.length === 0) return found
  const places = reading.places()
  return found.map(finding => ({
    ...finding,
    start: places[finding.start] ?? 0,
    end: endOf(finding, places),
  }))
}

/** Behind all of the last character, which may be read as several letters: `⒈` is `1.`. */
function endOf({ end }: Finding, places: Int32Array): number {
  let behind = end
  while (behind < places.length - 1 && places[behind] === places[end - 1]) behind += 1
  return places[behind] ?? 0
}

/** What several readings show at one place is one finding, as long as all of them together. */
function joinByRule(found: readonly Finding[]): readonly Finding[] {
  const joined: Finding[] = []
  const lastOf = new Map<string, number>()
  for (const finding of found.toSorted((a, b) => a.start - b.start)) {
    const at = lastOf.get(finding.rule) ?? joined.length
    const last = joined[at]
    const isNew = last === undefined || finding.start >= last.end
    lastOf.set(finding.rule, isNew ? joined.length : at)
    if (isNew) joined.push(finding)
    else joined[at] = join(last, finding)
  }
  return joined
}

function join(a: Finding, b: Finding): Finding {
  return { ...a, end: Math.max(a.end, b.end), confidence: Math.max(a.confidence, b.confidence) }
}
