/** Names that somebody wrote with commas or spaces between them. */
export function splitList(text: string): string[] {
  return text.split(/[\s,]+/).filter(part => part !== '')
}
