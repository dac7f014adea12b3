import { readTable } from './read-table.ts'
import rows from './words.json' with { type: 'json' }

const ROWS = readTable('words.json', rows, {
  of: 'text',
  /** What is on the list, for readers of the file. */
  about: 'text',
  /** Patterns with blanks between them. */
  words: 'texts',
})

/** The words of a list as one pattern for any of them. */
export function anyOf(list: string): string {
  const words = ROWS.find(({ of }) => of === list)?.words
  if (words === undefined) throw new Error(`words.json: there is no list "${list}"`)
  return `(?:${words.join(' ').replaceAll(' ', '|')})`
}
