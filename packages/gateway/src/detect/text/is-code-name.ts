/** A variable, or a member of one: `AccessTokenTTL`, `zod_1.z.number`, `utils$1.getSafeProp`. */
const CHAIN = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/
/** Names have a number at the end of a word (`X509Token`, `v410`): neither a year, nor digits all over. */
const UNLIKE_NAMES = /\d{4}|\d[a-z]|\d[^.\d]+\d/
/** `get` and `Scope` in `getOIDCScope`. Capitals and one or two letters may be short for anything, and tell nothing. */
const WORDS = /[A-Z][a-z]{2,}|[a-z]{3,}/g
/** Which letters follow which in words that programmers name things by, each list behind its first letter: 97 pairs of 100. */
const FOLLOWING =
  'abcdfgiklmnprstuvy baeijlorsuy cacehiklortuy dadeilorsu eacdefgilmnpqrstvwxy faefiloruy gaeghinorsu haeiortu iabcdefglmnoprstvxz jaeou keis ladeilostuy mabeimopsu nacdefginostuv oabcdfgiklmnoprstuvw paeiloprstu qu racdefgiklmnorstuvy sacehilopstuy tacehilorstuy uabcdegilmnprst vaeio waehinors xeipt yips zeo'
/** One for each of these pairs. */
const PAIRS = new Uint8Array(1024)
for (const list of FOLLOWING.split(' '))
  for (let at = 1; at < list.length; at += 1) PAIRS[numberOf(list.charCodeAt(0), list.charCodeAt(at))] = 1
/** Of the letters of a name so many stand behind another of the same word; of those, so many in a pair that words have. */
const SHARE_IN_WORDS = 0.5
const SHARE_OF_PAIRS = 0.8

/**
 * Whether a text is what code calls something, not the thing itself. Names are made of words; of what a generator writes a
 * third of the pairs of letters are any that words have.
 *
 * @example
 * isCodeName('grant.getOIDCScopeFiltered') // => true
 */
export function isCodeName(text: string): boolean {
  if (!CHAIN.test(text) || UNLIKE_NAMES.test(text)) return false
  const letters = text.replaceAll(/[^A-Za-z]/g, '').length
  let pairs = 0
  let known = 0
  for (const word of text.match(WORDS) ?? []) {
    pairs += word.length - 1
    known += countKnown(word)
  }
  return pairs >= letters * SHARE_IN_WORDS && known >= pairs * SHARE_OF_PAIRS
}

function countKnown(word: string): number {
  let known = 0
  for (let at = 1; at < word.length; at += 1)
    known += PAIRS[numberOf(word.charCodeAt(at - 1), word.charCodeAt(at))] ?? 0
  return known
}

/** Of a pair of letters, be they small or capital. */
function numberOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}
