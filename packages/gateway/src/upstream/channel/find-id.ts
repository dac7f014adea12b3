/** As most servers begin an answer, and as those end one that write its id last. */
const HEAD = /^\s*\{\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*,\s*"(?:result|error)"\s*:/
const RESULT_FIRST = /^\s*\{\s*"(?:result|error)"\s*:/
const TAIL = /\}\s*,\s*"jsonrpc"\s*:\s*"2\.0"\s*,\s*"id"\s*:\s*(\d{1,15})\s*\}\s*$/
/** What nobody waits for: a notification or a question. */
const METHOD = /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?(?:"id"\s*:\s*[^,]{1,80},\s*)?"method"\s*:/

/** The ends of a message. */
interface Ends {
  readonly head: string
  readonly tail: string
}

/** No more than it takes to find an id. */
const END = 256

export function endsOf(text: string): Ends {
  return { head: text.slice(0, END), tail: text.slice(-END) }
}

/** Which request is answered by a message that nobody takes apart: whoever waits for it need not wait any longer. */
export function findId({ head, tail }: Ends): number | undefined {
  const [, written] = HEAD.exec(head) ?? (RESULT_FIRST.test(head) ? TAIL.exec(tail) : null) ?? []
  return written === undefined ? undefined : Number(written)
}

export function isOwnAccord({ head }: Ends): boolean {
  return METHOD.test(head)
}
