/**
 * A command line as its words: blanks separate, quotes keep together, a backslash takes the next character as it is.
 * Nothing is expanded, and no shell ever sees it.
 */
export function splitCommand(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let quote = ''
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at)
    if (character === '\\' && quote !== "'" && at + 1 < text.length) {
      at += 1
      word = (word ?? '') + text.charAt(at)
    } else if (quote !== '') {
      if (character === quote) quote = ''
      else word = (word ?? '') + character
    } else if (character === '"' || character === "'") {
      quote = character
      word ??= ''
    } else if (/\s/.test(character)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else word = (word ?? '') + character
  }
  return word === undefined ? words : [...words, word]
}
