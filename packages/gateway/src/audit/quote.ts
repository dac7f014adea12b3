const quotes = new Map<string, string>()
const MOST_QUOTES = 1000
const LONG = 200
/** Nothing in it has to be escaped. */
const PLAIN = /^[\w:.-]*$/

/** As `JSON.stringify` writes it. For texts that come again and again: names of tools, agents and sessions. */
export function quote(text: string): string {
  const known = quotes.get(text)
  if (known !== undefined) return known
  const quoted = JSON.stringify(text)
  if (quotes.size < MOST_QUOTES && text.length < LONG) quotes.set(text, quoted)
  return quoted
}

/** The same for texts that come once: ids and hashes, which need no escapes. */
export function quoteOnce(text: string): string {
  return PLAIN.test(text) ? `"${text}"` : JSON.stringify(text)
}
