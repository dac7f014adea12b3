const LOOPBACK = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/

const LONGEST_URL = 4096

/**
 * True if a URL contains no credentials and uses HTTPS or stays on this machine. On other connections, an attacker
 * could replace the answer, such as an issuer's keys.
 */
export function isSafeUrl(url: string): boolean {
  if (url.length > LONGEST_URL || !URL.canParse(url)) return false
  const { protocol, hostname, username, password } = new URL(url)
  if (username !== '' || password !== '') return false
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname))
}
