// Markdown for generated pages.

export const code = text => `\`${text}\``

export function table(head, rows) {
  const line = cells => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map(() => '---')), ...rows.map(row => line(row))].join('\n')
}

/** Escapes the text of a cell, which bars and line breaks would end. */
export const cell = text =>
  String(text)
    .replaceAll('|', '\\|')
    .replaceAll(/\s*\n\s*/g, ' ')
