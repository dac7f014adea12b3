const ESCAPE = /%[0-9a-f]{2}/i
const ESCAPES = /(?:%[0-9a-f]{2})+/gi

/** Whether a text has something like `%2E`. A percent sign alone is none. */
export function hasEscapes(text: string): boolean {
  return text.includes('%') && ESCAPE.test(text)
}

/**
 * A text as whoever reads it as a link has it: `%2E` is a dot, and `%E3%80%82` a wide one. Once only, and with a
 * sign for bytes that are no text, so that nothing around them stays hidden.
 */
export function decodeEscapes(text: string): string {
  return hasEscapes(text)
    ? text.replaceAll(ESCAPES, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    : text
}

/** One link and nothing else. */
const LINK = /^\s*[a-z][a-z0-9+.\t\r\n-]*:[^ ]+$/i
const BREAK = /[\t\r\n]/
const BREAKS = /[\t\r\n]+/g

/**
 * What a text is to whoever reads it as a link, which drops tabs and line breaks, too. Undefined: nothing else than it is.
 *
 * @example
 * readAsLink('docs://a/%66ile') // 'docs://a/file'
 */
export function readAsLink(text: string): string | undefined {
  const isBroken = BREAK.test(text) && LINK.test(text)
  if (!isBroken && !hasEscapes(text)) return undefined
  return decodeEscapes(isBroken ? text.replaceAll(BREAKS, '') : text)
}
