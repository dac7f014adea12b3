import { showUntrusted } from '@hintgate/metadata'
import { NO_FINGERPRINT } from '../../catalog/judge-definition.ts'

/** Matches characters that are invisible or look like a plain space. A reviewer must be able to see them. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} ]/gu
const MAX_LINE = 1000

/** Shows the whole of a server's text, with control characters, invisible ones and those that reorder text escaped. */
export function reveal(text: string): string {
  return showText(text.replaceAll(BLANK, writeOut))
}

export function revealLine(text: string, max = MAX_LINE): string {
  return showUntrusted(text.replaceAll(BLANK, writeOut), max)
}

export function revealName(name: string): string {
  return revealLine(name, 200)
}

export function showTime(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}

/** Shows the first characters of a fingerprint, or `none`. */
export function showPrint(fingerprint: string): string {
  return fingerprint.startsWith(NO_FINGERPRINT) ? 'none' : fingerprint.slice(0, 12)
}

export function indent(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by)
}

function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** Length of the longest escape of one UTF-16 code unit, `\\u{ffff}`. */
const LONGEST = 8

/**
 * Shows a server's text on a terminal. Keeps line breaks and tabs, and escapes control characters, invisible ones and
 * those that reorder text.
 */
export function showText(text: string): string {
  return text
    .split(/(\r?\n|\t)/)
    .map((part, index) =>
      index % 2 === 0 ? showUntrusted(part, part.length * LONGEST + 1) : part.replace('\r', ''),
    )
    .join('')
}

export function sourceName(source: string): string {
  return source === 'default' ? 'assumed' : source
}
