/**
 * An estimate of the characters per token. It is close enough for English and JSON, and does not depend on any vendor's
 * tokeniser.
 */
const CHARACTERS_PER_TOKEN = 4

export function countTokens(value: unknown): number {
  return Math.ceil(JSON.stringify(value).length / CHARACTERS_PER_TOKEN)
}

/**
 * Returns how many items fit into the budget together with the rest of the answer. The first item is always included,
 * because an empty answer is useless.
 */
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
  /** The number of tools that the caller is allowed to use. */
  readonly visible: number
  readonly quarantined: number
}

/** Explains why few or no tools are shown, and suggests what to try. Returns undefined if no explanation is needed. */
export function explainFew({
  shown,
  found,
  total,
  filtered,
  visible,
  quarantined,
}: Counts): string | undefined {
  if (shown < found)
    return `${countTools(found - shown)}. Raise max_tokens to see more, or request less detail.`
  if (shown > 0)
    return total > shown
      ? `${countTools(total - shown)}. Raise limit or make the query more specific.`
      : undefined
  if (visible === 0 && quarantined > 0)
    return `${quarantined === 1 ? 'The only tool waits' : `All ${quarantined} tools wait`} for review by the operator.`
  if (visible === 0) return 'This token has no tools. Ask the operator which servers it can use.'
  if (filtered > 0)
    return `${filtered === 1 ? '1 tool matches' : `${filtered} tools match`} the query but not the filters. Remove a filter.`
  const waiting =
    quarantined === 0
      ? ''
      : quarantined === 1
        ? ' 1 more tool waits for review.'
        : ` ${quarantined} more tools wait for review.`
  return `Nothing matches. Describe what the tool should do in different or fewer words.${waiting}`
}

function countTools(count: number): string {
  return count === 1 ? '1 more tool matches' : `${count} more tools match`
}
