const BEGIN = '<!-- made by scripts/simulate.mjs -->'
const END = '<!-- end -->'

/** Replaces the text between the two markers of a page. */
export function putIntoPage(page: string, tables: string): string {
  const from = page.indexOf(BEGIN)
  const to = page.indexOf(END, from)
  if (from < 0 || to < 0) throw new Error(`The page has no ${BEGIN} … ${END}.`)
  return `${page.slice(0, from)}${BEGIN}\n\n${tables}\n\n${page.slice(to)}`
}
