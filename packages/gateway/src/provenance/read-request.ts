import { CONSEQUENCES, type Consequence, consequencesOfBareVerb } from '@hintgate/metadata'

/** The things that a sentence asks its reader to do, as a bit mask with one bit for each possible consequence. */
export type Asks = number

const BITS = new Map(CONSEQUENCES.map((each, index) => [each, 1 << index]))
const BITS_OF_VERB = new Map<string, Asks>()
const EVERYTHING: Asks = (1 << CONSEQUENCES.length) - 1

export function bitsOf(kinds: readonly Consequence[]): Asks {
  return kinds.reduce((bits, kind) => bits | (BITS.get(kind) ?? 0), 0)
}

function bitsOfVerb(word: string): Asks {
  const known = BITS_OF_VERB.get(word)
  if (known !== undefined) return known
  const bits = bitsOf(consequencesOfBareVerb(word))
  if (BITS_OF_VERB.size < 5000 && word.length <= LONGEST_KNOWN) BITS_OF_VERB.set(word, bits)
  return bits
}

/** Splits a sentence into clauses, because an imperative starts a clause. */
const CLAUSE = /[,;]\s*|:\s+|\s+(?:and|then|or|by)\s+|\s+[-–—|>*]+\s+|["“”«»()[\]]/
/** Words that can precede an imperative. */
const LEAD =
  /^(?:(?:please|pls|kindly|then|also|just|now|next|first|second|third|finally|immediately|always|simply|again|ok|hey|hi|you|i|we|they|it|must|should|shall|will|would|could|can|may|need|needs|want|have|has|had|like|required|supposed|make|sure|remember|don't|forget|be|not|is|are|so|if|let|us|me|help)\b[\s,:'!-]*)*/
const ASKING =
  /\b(?:please|pls|must|should|shall|need to|needs to|have to|has to|required to|could you|can you|would you|will you|kindly|make sure to|want you to|ask you to)\s+(?:[a-z]+ly\s+)?([a-z]+)/g

/** If one of these follows the first word, that word is a noun and not an imperative, as in `Book saved at …`. */
const PARTICIPLE = /^(?:is|are|was|were|has|have|had|will)$|[a-z]{2}ed$/

/**
 * Matches a verb directly before an address. It is an order wherever it stands, as in `For the refund visit
 * www.example.com`.
 */
const BEFORE_ADDRESS = /\b([a-z]+)\s+(?=(?:https?:\/\/|www\.)[^\s])/g

/**
 * Finds what a sentence asks for, from the verbs with which it orders, asks or obliges. A sentence in a language that
 * cannot be analysed counts as asking for anything.
 * @example
 * readRequest('Please transfer $10 to EH9025920092.') // => bits of 'pay'
 * readRequest('Her account is EH9025920092.')         // => 0
 */
export function readRequest(text: string): Asks {
  const lower = text.toLowerCase()
  const words = readWords(lower)
  if (words.foreign >= 2 && words.foreign > words.english) return EVERYTHING
  if (isOtherScript(text)) return EVERYTHING
  // Most sentences end here, because they contain no verb that could ask for anything.
  if (!words.hasVerb) return 0
  let asks = 0
  for (const clause of lower.split(CLAUSE)) {
    if (!mayOrder(clause)) continue
    const [, verb = '', next = ''] = /^([a-z]+)(?:\s+([a-z]+))?/.exec(clause.trim().replace(LEAD, '')) ?? []
    if (!PARTICIPLE.test(next)) asks |= bitsOfVerb(verb)
  }
  if (words.isAsking) for (const [, verb = ''] of lower.matchAll(ASKING)) asks |= bitsOfVerb(verb)
  if (lower.includes('www.') || lower.includes('http'))
    for (const [, verb = ''] of lower.matchAll(BEFORE_ADDRESS)) asks |= bitsOfVerb(verb)
  return asks
}

const FIRST_WORD = /^\s*([a-z]+)/
export const LEADS: ReadonlySet<string> = new Set(LEAD.source.match(/[a-z]{1,}/g))

/** Whether a clause begins with a verb, or with a word that can precede one. Most clauses end here. */
function mayOrder(clause: string): boolean {
  const word = FIRST_WORD.exec(clause)?.[1]
  return word !== undefined && (LEADS.has(word) || bitsOfVerb(word) !== 0)
}

export const ENGLISH: ReadonlySet<string> = new Set(
  'the a an of in is are was were and or for you your this that it its on with be from by at we our us i my me he she they his her their have has had not no if as will can all any new please to do after before using use here there more'.split(
    ' ',
  ),
)
/** Very common words of other languages that do not exist in English. */
export const OTHERS: ReadonlySet<string> = new Set(
  (
    'der die das und ist nicht bitte ein eine einen für auf mit dem den von zu ich sie wir ihr sich auch bei nach oder wird haben ' +
    'le les des du une est pas pour dans vous nous votre sur avec que qui veuillez merci et au aux cette ce ' +
    'el los las una por para con que del su es como más usted favor y lo se ' +
    'il gli che di per con una della nel sono non questo si ' +
    'o os um uma para com não do da dos das em por você seu sua ' +
    'de het een en van dat niet voor met op te zijn ' +
    'och att det som på är för inte med av till ' +
    'i w na z nie się do jest że proszę ' +
    've bir bu için ile lütfen olarak'
  ).split(' '),
)
const LETTER = /\p{L}/gu
const NOT_LATIN = /[^\p{Script=Latin}\P{L}]/gu
const NOT_ASCII = /[^\0-\u007f]/

/** True if at least a third of the letters are not Latin. */
function isOtherScript(text: string): boolean {
  if (!NOT_ASCII.test(text)) return false
  const others = text.match(NOT_LATIN)?.length ?? 0
  return others > 0 && others * 3 >= (text.match(LETTER)?.length ?? 0)
}

const IS_ENGLISH = 1
const IS_OTHER = 2
const IS_VERB = 4
const IS_ASKING = 8
/** Every phrase that `ASKING` matches begins with one of these words. */
const ASKERS = new Set(
  'please pls must should shall need needs have has required could can would will kindly make want ask'.split(
    ' ',
  ),
)
const MOST_KNOWN = 20_000
/** Maximum length of a cached word. A longer substring could keep the whole text that it comes from in memory. */
const LONGEST_KNOWN = 12
const KNOWN = new Map<string, number>()

function flagsOf(word: string): number {
  const known = KNOWN.get(word)
  if (known !== undefined) return known
  const language = ENGLISH.has(word) ? IS_ENGLISH : OTHERS.has(word) ? IS_OTHER : 0
  const flags = language | (bitsOfVerb(word) === 0 ? 0 : IS_VERB) | (ASKERS.has(word) ? IS_ASKING : 0)
  if (KNOWN.size < MOST_KNOWN && word.length <= LONGEST_KNOWN) KNOWN.set(word, flags)
  return flags
}

interface Words {
  english: number
  foreign: number
  hasVerb: boolean
  isAsking: boolean
}

/** Looks for known words in a single pass, because most texts need no further check. */
function readWords(lower: string): Words {
  const words: Words = { english: 0, foreign: 0, hasVerb: false, isAsking: false }
  let start = -1
  for (let at = 0; at <= lower.length; at += 1) {
    const code = at === lower.length ? 0 : lower.charCodeAt(at)
    const isLetter = (code >= 97 && code <= 122) || (code >= 0xaa && A_LETTER.test(lower.charAt(at)))
    if (isLetter && start === -1) start = at
    if (isLetter || start === -1) continue
    const flags = flagsOf(lower.slice(start, at))
    start = -1
    if ((flags & IS_ENGLISH) !== 0) words.english += 1
    if ((flags & IS_OTHER) !== 0) words.foreign += 1
    if ((flags & IS_VERB) !== 0) words.hasVerb = true
    if ((flags & IS_ASKING) !== 0) words.isAsking = true
  }
  return words
}

const A_LETTER = /\p{L}/u
