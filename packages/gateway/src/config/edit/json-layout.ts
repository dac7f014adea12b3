import type { Node } from 'jsonc-parser'

/** How a JSON document is laid out, so that what is added looks like the rest. */
export interface Layout {
  readonly eol: string
  /** One step of indentation. */
  readonly unit: string
}

export function layoutOf(text: string): Layout {
  return {
    eol: text.includes('\r\n') ? '\r\n' : '\n',
    unit: /^([ \t]+)["{[]/m.exec(text)?.[1] ?? '  ',
  }
}

/** The white space that the line begins with on which an offset is. */
export function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf('\n', offset - 1) + 1
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? ''
}

/** What follows a member of an object or a list. */
export interface Tail {
  /** Where its comma is; a last member need not have one. */
  readonly comma: number | undefined
  /** The end of its line's own comments: what is added next must not come between. */
  readonly end: number
}

const BETWEEN = /(?<space>[ \t]+)|(?<newline>\r?\n|\r)|(?<comment>\/\/[^\r\n]*|\/\*[\s\S]*?\*\/)|(?<comma>,)/y

/** Reads from the end of a member to the next one, or to the end of what holds it. */
export function tailOf(text: string, after: number): Tail {
  let comma: number | undefined
  let end = after
  let isSameLine = true
  BETWEEN.lastIndex = after
  for (let part = BETWEEN.exec(text)?.groups; part !== undefined; part = BETWEEN.exec(text)?.groups) {
    const to = BETWEEN.lastIndex
    if (part.comma !== undefined) {
      comma = to - 1
      end = to
      isSameLine = true
    }
    if (part.newline !== undefined) isSameLine = false
    if (part.comment !== undefined && isSameLine) end = to
  }
  return { comma, end }
}

export function endOf({ offset, length }: Node): number {
  return offset + length
}
