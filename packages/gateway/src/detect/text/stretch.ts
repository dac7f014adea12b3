/** A part of a text. */
export interface Stretch {
  readonly start: number
  readonly end: number
}

/** Where a pattern matches first. */
export function locate(pattern: RegExp, text: string): Stretch | undefined {
  const match = pattern.exec(text)
  return match === null ? undefined : { start: match.index, end: match.index + match[0].length }
}
