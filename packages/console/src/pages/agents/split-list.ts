/** Splits names that are separated by commas or spaces. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter(part => part !== '')
}
