/**
 * Reads the one-time code in a sign-in link, and removes it from the address to keep it out of the browser's history.
 */
export function takeCode(
  location: Pick<Location, 'hash' | 'pathname'>,
  history: Pick<History, 'replaceState'>,
): string | undefined {
  const code = readCode(location.hash)
  if (code !== undefined) history.replaceState(null, '', `${location.pathname}#/`)
  return code
}

/**
 * Returns the code from a sign-in link that was pasted.
 *
 * @example
 * readCode('http://127.0.0.1:4428/#code=abc') // 'abc'
 */
export function readCode(text: string): string | undefined {
  const code = /#code=([^&\s]+)/.exec(text)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}
