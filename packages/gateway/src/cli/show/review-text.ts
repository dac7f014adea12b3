import { showUntrusted } from '@hintgate/metadata'
import { NO_FINGERPRINT } from '../../catalog/judge-definition.ts'

/** What shows nothing, or passes for a plain space, and is yet something: a reviewer must see it. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} ]/gu
const MAX_LINE = 1000

/** A text of a server, whole, with everything written out that hides, reorders or steers. */
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

/** As much of a fingerprint as a person compares; `none:…` is told as such. */
export function showPrint(fingerprint: string): string {
  return fingerprint.startsWith(NO_FINGERPRINT) ? 'none' : fingerprint.slice(0, 12)
}

export function indent(text: string, by = '  '): string {
  return text.replaceAll(/^(?=.)/gm, by)
}

function writeOut(character: string): string {
  return `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`
}

/** What one character may become: `\\u{e0041}`, and it had two units before. */
const LONGEST = 8

/** Text of a server for a terminal: its own lines and tabs, but nothing that hides, reorders or steers. */
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
