/** The share of the relevant ids among the first `depth` results. */
export function recallAt(ranked: readonly string[], relevant: ReadonlySet<string>, depth: number): number {
  if (relevant.size === 0) return Number.NaN
  return countRelevant(ranked.slice(0, depth), relevant) / relevant.size
}

function countRelevant(ranked: readonly string[], relevant: ReadonlySet<string>): number {
  return new Set(ranked.filter(id => relevant.has(id))).size
}

/** One over the position of the first relevant id; 0 if there is none. */
export function reciprocalRank(ranked: readonly string[], relevant: ReadonlySet<string>): number {
  const at = ranked.findIndex(id => relevant.has(id))
  return at < 0 ? 0 : 1 / (at + 1)
}

/** Normalised discounted cumulative gain with gains of 0 and 1: 1 if all relevant ids come first. */
export function ndcgAt(ranked: readonly string[], relevant: ReadonlySet<string>, depth: number): number {
  if (relevant.size === 0) return Number.NaN
  const gained = ranked.slice(0, depth).map(id => relevant.has(id))
  const ideal = Array.from({ length: Math.min(depth, relevant.size) }, () => true)
  return sumDiscounted(gained) / sumDiscounted(ideal)
}

function sumDiscounted(gains: readonly boolean[]): number {
  return gains.reduce((sum, gain, at) => (gain ? sum + 1 / Math.log2(at + 2) : sum), 0)
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? Number.NaN : values.reduce((sum, value) => sum + value, 0) / values.length
}
