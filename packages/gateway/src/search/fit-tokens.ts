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
