import { foldPlainly } from './fold-text.ts'

/**
 * A name as the eye reads it: lower case, letters of other scripts as the Latin ones they look like, nothing
 * invisible.
 *
 * @example
 * import { foldLookAlikes } from '@hintgate/metadata'
 * foldLookAlikes('dеlete_file') // => 'delete_file'
 */
export function foldLookAlikes(name: string): string {
  return foldPlainly(name)
}
