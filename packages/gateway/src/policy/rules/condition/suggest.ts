import { nearest } from '@hintgate/metadata'

/** `did you mean …?`, or else all there are. */
export function suggest(word: string, known: readonly string[]): string {
  const match = nearest(word, known)
  return match === undefined ? `use one of ${known.join(', ')}` : `did you mean \`${match}\`?`
}
