/** Four characters a token: near enough for English and JSON, and needs no vendor's tokeniser. */
const CHARACTERS_PER_TOKEN = 4

export function countTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
}

/** How many of the items fit into a budget beside what is there anyway. The first always does: no answer helps nobody. */
export function fitItems(items: readonly unknown[], rest: unknown, maxTokens: number): number {
  let left = maxTokens - countTokens(rest)
  let count = 0
  for (const item of items) {
    left -= countTokens(item)
    if (left < 0 && count > 0) break
    count += 1
  }
  return count
}

export interface Counts {
  readonly shown: number
  readonly found: number
  readonly total: number
  readonly filtered: number
  /** Tools that the caller may use at all. */
  readonly visible: number
  readonly quarantined: number
}

/** Why there is little or nothing to see, and what to try; undefined when the answer speaks for itself. */
export function explainFew({
  shown,
  found,
  total,
  filtered,
  visible,
  quarantined,
}: Counts): string | undefined {
  if (shown < found) return `${found - shown} more did not fit into max_tokens; raise it, or ask for less.`
  if (shown > 0) return total > shown ? `${total - shown} more match; raise limit, or say more.` : undefined
  if (visible === 0 && quarantined > 0)
    return `${quarantined === 1 ? 'The one tool waits' : `All ${quarantined} tools wait`} for review by the operator.`
  if (visible === 0) return 'No tools are there for this token. Ask the operator which servers it may use.'
  if (filtered > 0) return `${filtered} match, but your filters leave them out. Drop a filter.`
  const waiting =
    quarantined === 0
      ? ''
      : quarantined === 1
        ? ' One more waits for review.'
        : ` ${quarantined} more wait for review.`
  return `Nothing matches. Say what the tool should do, in other or fewer words.${waiting}`
}
