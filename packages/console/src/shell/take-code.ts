/** Reads the one-time code of a sign-in link and removes it from the address, so that it is not kept in the history. */
export function takeCode(
  location: Pick<Location, 'hash' | 'pathname'>,
  history: Pick<History, 'replaceState'>,
): string | undefined {
  const code = readCode(location.hash)
  if (code !== undefined) history.replaceState(null, '', `${location.pathname}#/`)
  return code
}

/**
 * Returns the code in a pasted sign-in link.
 *
 * @example
 * readCode('http://127.0.0.1:4428/#code=abc') // 'abc'
 */
export function readCode(text: string): string | undefined {
  const code = /#code=([^&\s]+)/.exec(text)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}
