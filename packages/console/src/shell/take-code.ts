/** The one-time code of a sign-in link, taken out of the address so that it stays in no history. */
export function takeCode(
  location: Pick<Location, 'hash' | 'pathname'>,
  history: Pick<History, 'replaceState'>,
): string | undefined {
  const code = readCode(location.hash)
  if (code !== undefined) history.replaceState(null, '', `${location.pathname}#/`)
  return code
}

/**
 * The code in what somebody pasted: the whole link, or the code alone.
 *
 * @example
 * readCode('http://127.0.0.1:4428/#code=abc') // 'abc'
 */
export function readCode(text: string): string | undefined {
  const code = /#code=([^&\s]+)/.exec(text)?.[1]
  return code === undefined ? undefined : decodeURIComponent(code)
}
