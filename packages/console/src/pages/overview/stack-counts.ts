import type { Overview } from '../../api/client.ts'

type Bucket = Overview['buckets'][number]
export type Measure = Exclude<keyof Bucket, 'at'>

/**
 * Returns the columns of a stacked chart. Each series includes all later ones: when they are drawn in order, each
 * covers the lower part of the one before it.
 *
 * @example
 * stackCounts([{ at: 0, read: 3, write: 1, … }], ['write', 'read']) // [[0], [4], [3]]
 */
export function stackCounts(buckets: readonly Bucket[], measures: readonly Measure[]): readonly number[][] {
  const times = buckets.map(({ at }) => at / 1000)
  const columns = measures.map((_, from) =>
    buckets.map(bucket => measures.slice(from).reduce((sum, measure) => sum + bucket[measure], 0)),
  )
  return [times, ...columns]
}
