/**
 * The Porter2 ("English") stemmer of the Snowball project, for lower-case words: connect, connected, connecting and
 * connections have the same stem. It is written here because there is no small, maintained, typed library for it that
 * needs no Node built-ins. https://snowballstem.org/algorithms/english/stemmer.html
 */

/** Exceptions to the stemming rules, from the algorithm's own list. */
const IRREGULAR: ReadonlyMap<string, string> = new Map(
  (
    'skis:ski skies:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli early:earli only:onli ' +
    'singly:singl sky:sky news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes'
  )
    .split(' ')
    .map(pair => pair.split(':'))
    .map(([word = '', stem = '']) => [word, stem]),
)
const WHOLE_AFTER_PLURAL = new Set('inning outing canning herring earring proceed exceed succeed'.split(' '))

type Rule = readonly [suffix: string, replacement: string]

function readRules(text: string): readonly Rule[] {
  return text.split(' ').map(pair => {
    const [suffix = '', replacement = ''] = pair.split(':')
    return [suffix, replacement]
  })
}

// The longest suffixes come first, because only the longest matching suffix is tried.
const STEP_2 = readRules(
  'ational:ate ization:ize fulness:ful ousness:ous iveness:ive tional:tion biliti:ble lessli:less entli:ent ' +
    'ation:ate alism:al aliti:al ousli:ous iviti:ive fulli:ful enci:ence anci:ance abli:able izer:ize ator:ate ' +
    'alli:al bli:ble',
)
const STEP_3 = readRules('ational:ate tional:tion alize:al icate:ic iciti:ic ical:ic ness: ful:')
const STEP_4 = readRules(
  'ement: ance: ence: able: ible: ment: ant: ent: ism: ate: iti: ous: ive: ize: al: er: ic:',
)

const VOWEL = /[aeiouy]/
const STEMMABLE = /^[a-z]+$/

/** A cache of stems by word. It is worthwhile because all descriptions together use only a few thousand words. */
const STEMS = new Map<string, string>()
const MAX_STEMS = 20_000
/**
 * Maximum length of a word in the cache. V8 copies strings up to this length; a longer one can be a slice that keeps a
 * whole description in memory.
 */
const MAX_KEPT_LENGTH = 12

/** Stems a lower-case word. A word with anything but plain Latin letters is returned unchanged. */
export function stem(word: string): string {
  if (word.length <= 2) return word
  if (word.length > MAX_KEPT_LENGTH) return findStem(word)
  const known = STEMS.get(word)
  if (known !== undefined) return known
  if (STEMS.size >= MAX_STEMS) STEMS.clear()
  const found = findStem(word)
  STEMS.set(word, found)
  return found
}

function findStem(word: string): string {
  if (!STEMMABLE.test(word)) return word
  const known = IRREGULAR.get(word)
  if (known !== undefined) return known
  // A y that is a consonant (at the start, or after a vowel) is written as a capital.
  const marked = word.replace(/^y|(?<=[aeiouy])y/g, 'Y')
  const regions = findRegions(marked)
  const singular = dropPlural(marked)
  if (WHOLE_AFTER_PLURAL.has(singular)) return singular
  let rest = turnFinalY(dropPast(singular, regions.first))
  rest = dropLy(rest, regions.first)
  rest = dropStep3(rest, regions)
  rest = dropStep4(rest, regions.second)
  return dropFinalLetter(rest, regions).toLowerCase()
}

interface Regions {
  readonly first: number
  readonly second: number
}

/**
 * Finds the algorithm's regions. R1 begins after the first consonant that follows a vowel. R2 begins at the same place
 * within R1.
 */
function findRegions(word: string): Regions {
  const prefix = /^(?:gener|commun|arsen)/.exec(word)
  const first = prefix === null ? afterVowelConsonant(word, 0) : prefix[0].length
  return { first, second: afterVowelConsonant(word, first) }
}

function afterVowelConsonant(word: string, from: number): number {
  for (let at = from + 1; at < word.length; at += 1) {
    if (!isVowel(word, at) && isVowel(word, at - 1)) return at + 1
  }
  return word.length
}

function isVowel(word: string, at: number): boolean {
  return VOWEL.test(word.charAt(at))
}

function endsShort(word: string): boolean {
  return word.length === 2
    ? isVowel(word, 0) && !isVowel(word, 1)
    : /[^aeiouy][aeiouy][^aeiouywxY]$/.test(word)
}

function dropPlural(word: string): string {
  if (word.endsWith('sses')) return word.slice(0, -2)
  if (/ie[sd]$/.test(word)) return word.slice(0, word.length > 4 ? -2 : -1)
  if (/(?:us|ss)$/.test(word) || !word.endsWith('s')) return word
  return VOWEL.test(word.slice(0, -2)) ? word.slice(0, -1) : word
}

function dropPast(word: string, first: number): string {
  const long = /eed(?:ly)?$/.exec(word)
  if (long !== null) return long.index >= first ? `${word.slice(0, long.index)}ee` : word
  const ending = /(?:ingly|edly|ing|ed)$/.exec(word)
  if (ending === null) return word
  const rest = word.slice(0, ending.index)
  if (!VOWEL.test(rest)) return word
  if (/(?:at|bl|iz)$/.test(rest)) return `${rest}e`
  if (/(?:bb|dd|ff|gg|mm|nn|pp|rr|tt)$/.test(rest)) return rest.slice(0, -1)
  return endsShort(rest) && first >= rest.length ? `${rest}e` : rest
}

function turnFinalY(word: string): string {
  return word.length > 2 && /[^aeiouy][yY]$/.test(word) ? `${word.slice(0, -1)}i` : word
}

function dropLy(word: string, first: number): string {
  const replaced = applyRules(word, STEP_2, first)
  if (replaced !== undefined) return replaced
  if (word.endsWith('logi')) return word.length - 3 >= first ? word.slice(0, -1) : word
  return /[cdeghkmnrt]li$/.test(word) && word.length - 2 >= first ? word.slice(0, -2) : word
}

function dropStep3(word: string, { first, second }: Regions): string {
  const replaced = applyRules(word, STEP_3, first)
  if (replaced !== undefined) return replaced
  return word.endsWith('ative') && word.length - 5 >= second ? word.slice(0, -5) : word
}

function dropStep4(word: string, second: number): string {
  const replaced = applyRules(word, STEP_4, second)
  if (replaced !== undefined) return replaced
  return /[st]ion$/.test(word) && word.length - 3 >= second ? word.slice(0, -3) : word
}

function dropFinalLetter(word: string, { first, second }: Regions): string {
  const last = word.length - 1
  if (word.endsWith('e')) {
    const mayDrop = last >= second || (last >= first && !endsShort(word.slice(0, -1)))
    return mayDrop ? word.slice(0, -1) : word
  }
  return word.endsWith('ll') && last >= second ? word.slice(0, -1) : word
}

/**
 * Applies the longest matching rule. Returns the word unchanged if the suffix lies outside the region, and undefined if
 * no rule matches.
 */
function applyRules(word: string, rules: readonly Rule[], region: number): string | undefined {
  const rule = rules.find(([suffix]) => word.endsWith(suffix))
  if (rule === undefined) return undefined
  const [suffix, replacement] = rule
  const kept = word.length - suffix.length
  return kept >= region ? word.slice(0, kept) + replacement : word
}
