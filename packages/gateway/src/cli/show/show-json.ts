import { writeLines } from '../../protocol/parse-json.ts'
import type { Paint } from '../terminal/output.ts'

const HIDDEN = /(?!\n)[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * Shows a value as JSON. Numbers keep every digit. Control characters, invisible ones and those that reorder text
 * become JSON escapes.
 */
export function showJson(value: unknown): string {
  return `${writeLines(value, 2).replaceAll(HIDDEN, escapeUnits)}\n`
}

export function escapeUnits(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

export function showTable(rows: readonly (readonly string[])[]): string {
  return `${layTable(rows).join('\n')}\n`
}

export function layTitled(rows: readonly (readonly string[])[], paint: Paint): string[] {
  return layTable(rows).map((line, at) => (at === 0 ? paint('bold', line) : line))
}

export function layTable(rows: readonly (readonly string[])[]): string[] {
  const widths: number[] = []
  for (const row of rows)
    row.forEach((cell, column) => {
      widths[column] = Math.max(widths[column] ?? 0, cell.length)
    })
  return rows.map(row =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
}
