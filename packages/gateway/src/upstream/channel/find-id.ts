/** How most servers begin an answer, and how servers end one if they write its id last. */
const HEAD = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"\s*:/
const RESULT_FIRST = /^\s*\{\s*"(?:result|error)"\s*:/
const TAIL = /\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/
/** A notification or a question: no caller waits for it. */
const METHOD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*[^,]{1,80},\s*)?"method"\s*:/

interface Ends {
  readonly head: string
  readonly tail: string
}

/** Enough characters to find an id. */
const END = 256

export function endsOf(text: string): Ends {
  return { head: text.slice(0, END), tail: text.slice(-END) }
}

/** The id that a message answers, found without parsing the message, so that its caller need not wait any longer. */
export function findId({ head, tail }: Ends): number | undefined {
  const [, written] = HEAD.exec(head) ?? (RESULT_FIRST.test(head) ? TAIL.exec(tail) : null) ?? []
  return written === undefined ? undefined : Number(written)
}

export function isServerInitiated({ head }: Ends): boolean {
  return METHOD.test(head)
}
