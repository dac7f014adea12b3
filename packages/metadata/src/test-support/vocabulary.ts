import { readFileSync } from 'node:fs'

/** Tests read the tables in the vocabulary document itself, which keeps the code and the document in agreement. */
const DOCUMENT = readFileSync(new URL('../../../../docs/vocabulary.md', import.meta.url), 'utf8')

/** Returns the cells of the table whose first header cell is the given one. */
export function vocabularyTable(firstHeader: string): string[][] {
  const lines = DOCUMENT.split('\n')
  const start = lines.findIndex(line => line.startsWith(`| ${firstHeader} |`))
  if (start < 0) throw new Error(`the vocabulary has no table that starts with ${firstHeader}`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end).map(cells)
}

/** Finds the paragraph that contains the given words. Returns its text on one line, starting with those words. */
export function vocabularyLine(words: string): string {
  const paragraph = DOCUMENT.split('\n\n').find(text => text.replaceAll('\n', ' ').includes(words))
  if (paragraph === undefined) throw new Error(`the vocabulary has no paragraph with: ${words}`)
  const line = paragraph.replaceAll('\n', ' ')
  return line.slice(line.indexOf(words))
}

function cells(line: string): string[] {
  return line
    .slice(1, -1)
    .split('|')
    .map(cell => cell.trim())
}
