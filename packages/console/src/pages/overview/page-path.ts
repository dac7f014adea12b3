/**
 * Returns the console path in a link from the gateway. Any other text becomes the path of the overview, because text
 * from a server must never become another kind of link.
 *
 * @example
 * toPagePath('/tools/files/read') // '/tools/files/read'
 * toPagePath('javascript:alert(1)') // '/'
 */
export function toPagePath(link: string): string {
  const path = link.replace(/^\/?#/, '')
  return /^\/(?!\/)/.test(path) ? path : '/'
}
