import { showUntrusted } from '@hintgate/metadata'

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
