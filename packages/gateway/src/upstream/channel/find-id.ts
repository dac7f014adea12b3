/**
 * The first pattern matches the start of an answer in the form that most servers write. The other two recognise an
 * answer whose id comes last.
 */
const HEAD = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"\s*:/
const RESULT_FIRST = /^\s*\{\s*"(?:result|error)"\s*:/
const TAIL = /\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/
/** Matches the start of a notification or a question, for which no caller is waiting. */
const METHOD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*[^,]{1,80},\s*)?"method"\s*:/

interface Ends {
  readonly head: string
  readonly tail: string
}

/** How many characters to search at each end of a message. The id of an answer is usually there. */
const END = 256

export function endsOf(text: string): Ends {
  return { head: text.slice(0, END), tail: text.slice(-END) }
}

/**
 * Finds the id of the request that a message answers, without parsing the message. If a message is too long to parse,
 * its caller can be told immediately.
 */
export function findId({ head, tail }: Ends): number | undefined {
  const [, written] = HEAD.exec(head) ?? (RESULT_FIRST.test(head) ? TAIL.exec(tail) : null) ?? []
  return written === undefined ? undefined : Number(written)
}

export function isServerInitiated({ head }: Ends): boolean {
  return METHOD.test(head)
}
