import { foldPlainly } from './fold-text.ts'

/**
 * Returns a name as it looks to a reader: in lower case, without invisible characters, and with look-alike letters of
 * other scripts replaced by Latin ones.
 *
 * @example
 * import { foldLookAlikes } from '@hintgate/metadata'
 * foldLookAlikes('dеlete_file') // => 'delete_file'
 */
export function foldLookAlikes(name: string): string {
  return foldPlainly(name)
}
