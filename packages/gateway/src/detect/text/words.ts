import { readTable } from './read-table.ts'
import rows from './words.json' with { type: 'json' }

const ROWS = readTable('words.json', rows, {
  of: 'text',
  /** A description of the list, for readers of the file. */
  about: 'text',
  /** Patterns separated by blanks. */
  words: 'texts',
})

/** The words of a list as one alternation pattern. */
export function anyOf(list: string): string {
  const words = ROWS.find(({ of }) => of === list)?.words
  if (words === undefined) throw new Error(`words.json: unknown list "${list}"`)
  return `(?:${words.join(' ').replaceAll(' ', '|')})`
}
