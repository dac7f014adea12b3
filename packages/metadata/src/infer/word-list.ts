/** Splits a row of a word table. A row is one string, so that it fits on one line without quotes around every word. */
export function listWords(words: string): readonly string[] {
  return words.split(' ')
}

/** Splits a row of phrases in a table. */
export function listPhrases(phrases: string): readonly string[] {
  return phrases.split(', ')
}
