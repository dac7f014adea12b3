import { anyOf } from './words.ts'

const SECRETIVE = new RegExp(anyOf('secretNames'), 'i')

/** Whether whatever has this name is a secret: an argument, a setting, a switch of a program. */
export function namesSecret(name: string): boolean {
  return SECRETIVE.test(name)
}

/** Some services have their keys in the path of an address. Its other parts are words, or short, or versions. */
export function looksLikeKey(part: string): boolean {
  return part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part)
}

/** Has vowels where words have them, and is not a jumble of cases. */
export function isWord(word: string): boolean {
  if (!/^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z]+)$/.test(word)) return false
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0
  return vowels >= word.length * 0.2 && vowels <= word.length * 0.7 && !/[^aeiouy]{5}/i.test(word)
}

/** What stands where a secret would: a variable, a template, a word for it, the same letter over and over. */
const VARIABLE = /^[$%#@]?[({[<]|^\$|^%[A-Za-z(]|%s|\{\{|\}\}|^`|\$\(|\$\{|<[\w -]{2,40}>|\[[A-Z_ ]{3,30}\]/
const WORDS = new RegExp(anyOf('placeholders'), 'i')
const FEW = 4

/** Whether a value only says that a secret belongs here. */
export function isPlaceholder(value: string): boolean {
  if (VARIABLE.test(value)) return true
  if (WORDS.test(value) && !/\d{3}[A-Z]|[a-z]\d[a-z]\d/.test(value)) return true
  return hasFew(value)
}

/** Whether it has few different characters. Most values show after some that they have more. */
function hasFew(value: string): boolean {
  const seen: string[] = []
  for (const character of value) {
    if (seen.includes(character)) continue
    if (seen.length === FEW) return false
    seen.push(character)
  }
  return true
}
