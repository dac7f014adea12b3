// The little Markdown that generated pages are made of.

export const code = text => `\`${text}\``

export function table(head, rows) {
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(row => line(row))].join('\n')
}

/** What may stand in a cell: bars and line breaks would end it. */
export const cell = text =>
  String(text)
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
