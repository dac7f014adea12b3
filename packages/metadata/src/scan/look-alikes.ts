/**
 * Letters of other scripts, by the Latin letter that they look like. Compatibility forms (full-width, mathematical,
 * circled) are not listed, because normalisation folds them.
 */
const LOOK_ALIKES: readonly (readonly [latin: string, others: string])[] = [
  ['a', 'аɑαἀὰ'],
  ['b', 'ЬВвβ'],
  ['c', 'сϲᴄСⅽ'],
  ['d', 'ԁɗ'],
  ['e', 'еєεҽЕΕ'],
  ['f', 'ғϝ'],
  ['g', 'ɡց'],
  ['h', 'һнНΗհ'],
  ['i', 'іıιɩІΙ'],
  ['j', 'јϳЈ'],
  ['k', 'кκКΚ'],
  ['l', 'ӏⅼǀӀ'],
  ['m', 'мМΜⅿ'],
  ['n', 'пηΝո'],
  ['o', 'оοσОΟօ'],
  ['p', 'рρРΡ'],
  ['q', 'ԛգ'],
  ['r', 'гᴦ'],
  ['s', 'ѕЅ'],
  ['t', 'тτТΤ'],
  ['u', 'υսᴜ'],
  ['v', 'ѵνᴠ'],
  ['w', 'ԝшωᴡ'],
  ['x', 'хχХΧ'],
  ['y', 'уүУΥγ'],
  ['z', 'ᴢΖ'],
]

const latinOf = new Map(LOOK_ALIKES.flatMap(([latin, others]) => Array.from(others, other => [other, latin])))

/** Returns the Latin letter that a character looks like, or the character itself. */
export function toLatin(character: string): string {
  return latinOf.get(character) ?? character
}

export function isLookAlike(character: string): boolean {
  return latinOf.has(character)
}

const ANY = new RegExp(`[${[...latinOf.keys()].join('')}]`, 'u')

/** True if a text has any such letter, which most texts do not. */
export function hasLookAlike(text: string): boolean {
  return ANY.test(text)
}
