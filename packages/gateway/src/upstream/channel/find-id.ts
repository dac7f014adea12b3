/** Match the beginning of an answer in the form that most servers write, and the end of one whose id comes last. */
const HEAD = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"\s*:/
const RESULT_FIRST = /^\s*\{\s*"(?:result|error)"\s*:/
const TAIL = /\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/
/** Matches the beginning of a notification or a question, which no caller waits for. */
const METHOD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*[^,]{1,80},\s*)?"method"\s*:/

interface Ends {
  readonly head: string
  readonly tail: string
}

/** Length of each end of a message, in characters. It is enough to find an id. */
const END = 256

export function endsOf(text: string): Ends {
  return { head: text.slice(0, END), tail: text.slice(-END) }
}

/**
 * The id of the request that a message answers, found without parsing. If the message is too long to parse, its caller
 * can then be told immediately.
 */
export function findId({ head, tail }: Ends): number | undefined {
  const [, written] = HEAD.exec(head) ?? (RESULT_FIRST.test(head) ? TAIL.exec(tail) : null) ?? []
  return written === undefined ? undefined : Number(written)
}

export function isServerInitiated({ head }: Ends): boolean {
  return METHOD.test(head)
}
