import { anyOf } from './words.ts'

const SECRETIVE = new RegExp(anyOf('secretNames'), 'i')

/** Whether the name of an argument, setting or flag indicates a secret. */
export function namesSecret(name: string): boolean {
  return SECRETIVE.test(name)
}

/**
 * Whether a segment of a URL path looks like a key, which some services put there. Other segments are words, version
 * numbers or short ids.
 */
export function looksLikeKey(part: string): boolean {
  return part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part)
}

/** Whether a string has the vowels and the capital letters of a natural word. */
export function isWord(word: string): boolean {
  if (!/^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z]+)$/.test(word)) return false
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0
  return vowels >= word.length * 0.2 && vowels <= word.length * 0.7 && !/[^aeiouy]{5}/i.test(word)
}

/** Matches variables and templates that stand for a secret. */
const VARIABLE = /^[$%#@]?[({[<]|^\$|^%[A-Za-z(]|%s|\{\{|\}\}|^`|\$\(|\$\{|<[\w -]{2,40}>|\[[A-Z_ ]{3,30}\]/
const WORDS = new RegExp(anyOf('placeholders'), 'i')
const FEW = 4

/** Whether a value is a placeholder for a secret. */
export function isPlaceholder(value: string): boolean {
  if (VARIABLE.test(value)) return true
  if (WORDS.test(value) && !/\d{3}[A-Z]|[a-z]\d[a-z]\d/.test(value)) return true
  return hasFew(value)
}

/** Whether a value has few different characters, such as `xxxx`. Stops reading as soon as there are too many. */
function hasFew(value: string): boolean {
  const seen: string[] = []
  for (const character of value) {
    if (seen.includes(character)) continue
    if (seen.length === FEW) return false
    seen.push(character)
  }
  return true
}
