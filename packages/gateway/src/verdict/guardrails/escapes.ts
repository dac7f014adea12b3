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
