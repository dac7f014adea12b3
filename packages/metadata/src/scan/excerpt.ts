import { showUntrusted } from '../derive/untrusted-text.ts'

/** A finding shorter than this is shown with the text around it, because it would be unclear alone. */
const SHORT = 12
const SURROUNDINGS = 20
const MAX_EXCERPT = 120

/** Invisible characters that `showUntrusted` does not escape: variation selectors and fillers. */
const BLANK = /[\p{Default_Ignorable_Code_Point}\u2800]/gu

/** Returns the text of a span in a form that is safe to show. A short span is shown with the text around it. */
export function showSpan(text: string, [start, end]: readonly [number, number]): string {
  const margin = end - start < SHORT ? SURROUNDINGS : 0
  const around = text.slice(
    toBoundary(text, Math.max(0, start - margin)),
    toBoundary(text, Math.min(end + margin, start + 4 * MAX_EXCERPT)),
  )
  const visible = around.replaceAll(BLANK, blank => `\\u{${(blank.codePointAt(0) ?? 0).toString(16)}}`)
  return showUntrusted(visible, MAX_EXCERPT)
}

/** Moves a position that is between the two halves of a surrogate pair. */
function toBoundary(text: string, at: number): number {
  const isInside = at > 0 && (text.codePointAt(at - 1) ?? 0) > 0xffff
  return isInside ? at + 1 : at
}
