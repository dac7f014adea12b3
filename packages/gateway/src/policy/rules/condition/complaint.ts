import { nearest } from '@hintgate/metadata'

export interface Complaint {
  readonly offset: number
  readonly message: string
  readonly fix: string
}

/** Returns `did you mean …?` if a known word is similar, otherwise a list of all known words. */
export function suggest(word: string, known: readonly string[]): string {
  const match = nearest(word, known)
  return match === undefined ? `use one of ${known.join(', ')}` : `did you mean \`${match}\`?`
}
