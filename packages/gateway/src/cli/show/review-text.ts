import { showUntrusted } from '@hintgate/metadata'
import { NO_FINGERPRINT } from '../../catalog/judge-definition.ts'
import { showText } from './show-text.ts'

/** What shows nothing, or passes for a plain space, and is yet something: a reviewer must see it. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800]|[^\P{Zs} ]/gu
const MAX_LINE = 1000

/** A text of a server, whole, with everything written out that hides, reorders or steers. */
export function reveal(text: string): string {
  return showText(text.replaceAll(BLANK, writeOut))
}

/** The same on one line, and cut where nobody reads on. */
export function revealLine(text: string, max = MAX_LINE): string {
  return showUntrusted(text.replaceAll(BLANK, writeOut), max)
}

/** A name beside others in a table. */
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
