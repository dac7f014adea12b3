/** Formats a table for a terminal: text left-aligned, figures right-aligned, two spaces between columns. */
export function formatTable(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = head.map((title, column) =>
    Math.max(title.length, ...rows.map(row => (row[column] ?? '').length)),
  )
  const isFigure = head.map((_, column) => rows.every(row => /^[\d.,–%\s]*$/.test(row[column] ?? '')))
  const lay = (cells: readonly string[]): string =>
    cells
      .map((cell, column) => {
        const width = widths[column] ?? 0
        return isFigure[column] === true ? cell.padStart(width) : cell.padEnd(width)
      })
      .join('  ')
      .trimEnd()
  return [lay(head), widths.map(width => '─'.repeat(width)).join('  '), ...rows.map(lay)].join('\n')
}
