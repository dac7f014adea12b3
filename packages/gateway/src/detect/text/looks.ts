import { anyOf } from './words.ts'

const SECRETIVE = new RegExp(anyOf('secretNames'), 'i')

/** Whether the name of an argument, setting or flag indicates a secret. */
export function namesSecret(name: string): boolean {
  return SECRETIVE.test(name)
}

/** Some services put keys in the URL path. Other path segments are words, versions, or short. */
export function looksLikeKey(part: string): boolean {
  return part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part)
}

/** Whether it has vowels and upper case like a word. */
export function isWord(word: string): boolean {
  if (!/^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z]+)$/.test(word)) return false
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0
  return vowels >= word.length * 0.2 && vowels <= word.length * 0.7 && !/[^aeiouy]{5}/i.test(word)
}

/** A placeholder for a secret: a variable or a template. */
const VARIABLE = /^[$%#@]?[({[<]|^\$|^%[A-Za-z(]|%s|\{\{|\}\}|^`|\$\(|\$\{|<[\w -]{2,40}>|\[[A-Z_ ]{3,30}\]/
const WORDS = new RegExp(anyOf('placeholders'), 'i')
const FEW = 4

/** Whether a value is a placeholder for a secret. */
export function isPlaceholder(value: string): boolean {
  if (VARIABLE.test(value)) return true
  if (WORDS.test(value) && !/\d{3}[A-Z]|[a-z]\d[a-z]\d/.test(value)) return true
  return hasFew(value)
}

/** Whether it has few different characters. Stops at the first one too many. */
function hasFew(value: string): boolean {
  const seen: string[] = []
  for (const character of value) {
    if (seen.includes(character)) continue
    if (seen.length === FEW) return false
    seen.push(character)
  }
  return true
}
