/** Splits a row of words in a table. Tables stay one line per idea, and a reader sees the words, not quotes. */
export function listWords(words: string): readonly string[] {
  return words.split(' ')
}

/** Splits a row of phrases in a table. */
export function listPhrases(phrases: string): readonly string[] {
  return phrases.split(', ')
}
