const ESCAPE = /%[0-9a-f]{2}/i
const ESCAPES = /(?:%[0-9a-f]{2})+/gi

/** Whether a text contains a percent escape such as `%2E`. A lone percent sign is not one. */
export function hasEscapes(text: string): boolean {
  return text.includes('%') && ESCAPE.test(text)
}

/**
 * Decodes percent escapes once, as a URL parser does. Invalid UTF-8 becomes U+FFFD, so that one bad escape does not
 * hide the text around it.
 */
export function decodeEscapes(text: string): string {
  return hasEscapes(text)
    ? text.replaceAll(ESCAPES, run => Buffer.from(run.replaceAll('%', ''), 'hex').toString('utf8'))
    : text
}

/** Matches a text that consists of a single link. */
const LINK = /^\s*[a-z][a-z0-9+.\t\r\n-]*:[^ ]+$/i
const BREAK = /[\t\r\n]/
const BREAKS = /[\t\r\n]+/g

/**
 * Returns a link as a URL parser reads it, without tabs and line breaks and with escapes decoded. Returns undefined if
 * that changes nothing.
 * @example
 * readAsLink('docs://a/%66ile') // 'docs://a/file'
 */
export function readAsLink(text: string): string | undefined {
  const isBroken = BREAK.test(text) && LINK.test(text)
  if (!isBroken && !hasEscapes(text)) return undefined
  return decodeEscapes(isBroken ? text.replaceAll(BREAKS, '') : text)
}
