/**
 * Maximum number of different addresses that are checked in one call. If there are more, the rule reports a violation.
 */
export const MOST_ADDRESSES = 10_000

export interface Items {
  /** The different items. There are at most `MOST_ADDRESSES` plus one, which shows that there are too many. */
  readonly distinct: ReadonlySet<string>
  readonly total: number
  /** The number of items that repeat the address as the display name: `ada@b.co <ada@b.co>`. */
  readonly repeated: number
}

/** Splits a text at commas, semicolons and line breaks that are outside quotes and brackets. */
export function splitItems(text: string): Items {
  const distinct = new Set<string>()
  let total = 0
  let repeated = 0
  for (const item of parts(text)) {
    if (item === '') continue
    total += 1
    if (item.endsWith('>') && item.length <= LONGEST_REPEATED && repeatsItself(item)) repeated += 1
    if (distinct.size <= MOST_ADDRESSES) distinct.add(item)
  }
  return { distinct, total, repeated }
}

/**
 * Items up to this length are searched for a repeated address. In a longer one, the search could be very slow if the
 * text is full of prefixes of the address.
 */
const LONGEST_REPEATED = 700

function repeatsItself(item: string): boolean {
  const open = item.lastIndexOf('<')
  const address = item.slice(open + 1, -1)
  return address.includes('@') && item.lastIndexOf(address, open) !== -1
}

function* parts(text: string): Generator<string> {
  let start = 0
  let isQuoted = false
  let isBracketed = false
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at)
    if (code > BACKSLASH) continue
    if (code === BACKSLASH && isQuoted) {
      at += 1
      continue
    }
    if (code === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && (code === OPEN || code === CLOSE)) isBracketed = code === OPEN
    const isBreak = code === NEWLINE || code === RETURN
    // A line break ends an item even inside quotes, because it could be used to smuggle in a header.
    if (isBreak || (!isQuoted && !isBracketed && (code === COMMA || code === SEMICOLON))) {
      yield text.slice(start, at).trim()
      start = at + 1
      if (isBreak) isQuoted = false
    }
  }
  yield text.slice(start).trim()
}

const NEWLINE = 10
const RETURN = 13
const QUOTE = 34
const COMMA = 44
const SEMICOLON = 59
const OPEN = 60
const CLOSE = 62
const BACKSLASH = 92
