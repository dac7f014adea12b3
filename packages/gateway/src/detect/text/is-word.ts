/** Has vowels where words have them, and is not a jumble of cases. */
export function isWord(word: string): boolean {
  if (!/^(?:[A-Z]?[a-z]+(?:[A-Z][a-z]+)*|[A-Z]+)$/.test(word)) return false
  const vowels = word.match(/[aeiouy]/gi)?.length ?? 0
  return vowels >= word.length * 0.2 && vowels <= word.length * 0.7 && !/[^aeiouy]{5}/i.test(word)
}
