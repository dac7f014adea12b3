/** Matches a variable or a member access, such as `AccessTokenTTL`, `zod_1.z.number` or `utils$1.getSafeProp`. */
const CHAIN = /^[A-Za-z_$][\w$]*(?:\.[A-Za-z_$][\w$]*)*$/
/**
 * Digit patterns that identifiers do not have: years, or digits scattered between letters. In identifiers, digits end a
 * word (`X509Token`, `v410`).
 */
const UNLIKE_NAMES = /\d{4}|\d[a-z]|\d[^.\d]+\d/
/**
 * The words inside an identifier: `get` and `Scope` in `getOIDCScope`. Acronyms and words of one or two letters are
 * skipped, because they reveal little.
 */
const WORDS = /[A-Z][a-z]{2,}|[a-z]{3,}/g
/**
 * Letter pairs that are common in identifiers. In each group, the first letter can be followed by any of the others.
 * Together these pairs make up 97% of the pairs in real identifiers.
 */
const FOLLOWING =
  'abcdfgiklmnprstuvy baeijlorsuy cacehiklortuy dadeilorsu eacdefgilmnpqrstvwxy faefiloruy gaeghinorsu haeiortu iabcdefglmnoprstvxz jaeou keis ladeilostuy mabeimopsu nacdefginostuv oabcdfgiklmnoprstuvw paeiloprstu qu racdefgiklmnorstuvy sacehilopstuy tacehilorstuy uabcdegilmnprst vaeio waehinors xeipt yips zeo'
/** A lookup table of letter pairs, with 1 for each common pair. */
const PAIRS = new Uint8Array(1024)
for (const list of FOLLOWING.split(' '))
  for (let at = 1; at < list.length; at += 1) PAIRS[numberOf(list.charCodeAt(0), list.charCodeAt(at))] = 1
/**
 * In an identifier, at least this share of the letters is in words, and at least `SHARE_OF_PAIRS` of the letter pairs
 * are common.
 */
const SHARE_IN_WORDS = 0.5
const SHARE_OF_PAIRS = 0.8

/**
 * Whether a text is a code identifier rather than a secret. Identifiers consist of words; in random strings only a
 * third of the letter pairs are common.
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

/** Returns the index of a letter pair in `PAIRS`, ignoring case. */
function numberOf(first: number, second: number): number {
  return ((first & 31) << 5) | (second & 31)
}
