import { readTable } from './read-table.ts'
import rows from './words.json' with { type: 'json' }

const ROWS = readTable('words.json', rows, {
  of: 'text',
  /** Explains the list to people who read the file. */
  about: 'text',
  /** Patterns; each string can hold several, separated by blanks. */
  words: 'texts',
})

/** Returns the words of a list as one pattern of alternatives. */
export function anyOf(list: string): string {
  const words = ROWS.find(({ of }) => of === list)?.words
  if (words === undefined) throw new Error(`words.json: unknown list "${list}"`)
  return `(?:${words.join(' ').replaceAll(' ', '|')})`
}
