/**
 * A path of the console out of a link that the gateway sends; anything else leads to the first page, so that no text
 * of a server ever becomes another kind of address.
 *
 * @example
 * toPagePath('/tools/files/read') // '/tools/files/read'
 * toPagePath('javascript:alert(1)') // '/'
 */
export function toPagePath(link: string): string {
  const path = link.replace(/^\/?#/, '')
  return /^\/(?!\/)/.test(path) ? path : '/'
}
