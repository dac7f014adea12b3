/** Some services have their keys in the path of an address. Its other parts are words, or short, or versions. */
export function looksLikeKey(part: string): boolean {
  return part.length >= 10 && /\d/.test(part) && /[A-Za-z]/.test(part)
}
