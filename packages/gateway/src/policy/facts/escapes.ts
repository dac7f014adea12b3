const ESCAPE = /%[0-9a-f]{2}/i
const ESCAPES = /(?:%[0-9a-f]{2})+/gi

/** Whether a text contains a percent escape such as `%2E`. A lone percent sign is not one. */
export function hasEscapes(text: string): boolean {
  return text.includes('%') && ESCAPE.test(text)
}

/**
 * Decodes percent escapes once, as a URL parser does. Bytes that are not valid UTF-8 become U+FFFD, so that one bad
 * escape does not hide the text around it.
 */
export function decodeEscapes(text: string): string {
  return hasEscapes(text)
    ? text.replaceAll(ESCAPES, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    : text
}

/** A single link and nothing else. */
const LINK = /^\s*[a-z][a-z0-9+.\t\r\n-]*:[^ ]+$/i
const BREAK = /[\t\r\n]/
const BREAKS = /[\t\r\n]+/g

/**
 * The text as a URL parser reads it: without tabs and line breaks, escapes decoded. Undefined when that changes nothing.
 *
 * @example
 * readAsLink('docs://a/%66ile') // 'docs://a/file'
 */
export function readAsLink(text: string): string | undefined {
  const isBroken = BREAK.test(text) && LINK.test(text)
  if (!isBroken && !hasEscapes(text)) return undefined
  return decodeEscapes(isBroken ? text.replaceAll(BREAKS, '') : text)
}
