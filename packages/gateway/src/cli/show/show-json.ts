import {
  CLOSE_LIST,
  CLOSE_OBJECT,
  endOfString,
  OPEN_LIST,
  OPEN_OBJECT,
  QUOTE,
} from '../../protocol/json-text.ts'
import { writeJson } from '../../protocol/parse-json.ts'

const COMMA = 44
const COLON = 58
const HIDDEN = /[\p{Cc}\p{Cf}\p{Co}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/gu

/**
 * JSON to look at and to parse. Numbers keep every digit, and characters that hide, reorder or steer a terminal are
 * written as escapes, which say the same.
 */
export function showJson(value: unknown): string {
  return `${indentJson(writeJson(value).replaceAll(HIDDEN, escapeUnits))}\n`
}

/** A character as JSON writes it out: one escape for each of its units. */
export function escapeUnits(character: string): string {
  return character
    .split('')
    .map(unit => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')
}

/** JSON without spaces, over several lines. (`JSON.stringify` can only lay out values, which would round numbers.) */
export function indentJson(text: string): string {
  const parts: string[] = []
  let depth = 0
  let from = 0
  const breakAt = (at: number, next: number): void => {
    parts.push(text.slice(from, at), '\n', '  '.repeat(depth))
    from = next
  }
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === COLON) {
      parts.push(text.slice(from, at + 1), ' ')
      from = at + 1
    } else if (code === COMMA) breakAt(at + 1, at + 1)
    else if (code === OPEN_OBJECT || code === OPEN_LIST) {
      const isEmpty = isClosing(text.charCodeAt(at + 1))
      if (isEmpty) at += 1
      else {
        depth += 1
        breakAt(at + 1, at + 1)
      }
    } else if (isClosing(code)) {
      depth -= 1
      breakAt(at, at)
    }
  }
  return parts.join('') + text.slice(from)
}

function isClosing(code: number): boolean {
  return code === CLOSE_OBJECT || code === CLOSE_LIST
}

/** A table as a command prints it. */
export function showTable(rows: readonly (readonly string[])[]): string {
  return `${layTable(rows).join('\n')}\n`
}

/** Columns as wide as their widest cell, two spaces apart; the last one may be as long as it likes. */
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
