import { foldPlainly } from './fold-text.ts'

/**
 * A name as it looks: lower case, letters of other scripts as the Latin ones they look like, without invisible
 * characters.
 *
 * @example
 * import { foldLookAlikes } from '@hintgate/metadata'
 * foldLookAlikes('dеlete_file') // => 'delete_file'
 */
export function foldLookAlikes(name: string): string {
  return foldPlainly(name)
}
