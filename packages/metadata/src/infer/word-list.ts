/** Splits a row of a word table. A row is one string of words, which needs no quotes around every word. */
export function listWords(words: string): readonly string[] {
  return words.split(' ')
}

/** Splits a row of phrases, which are separated by commas. */
export function listPhrases(phrases: string): readonly string[] {
  return phrases.split(', ')
}
