import type { Overview } from '../../api/client.ts'

type Bucket = Overview['buckets'][number]
export type Measure = Exclude<keyof Bucket, 'at'>

/**
 * The columns of a stacked chart: each series includes the ones after it, so that drawing them in order covers the lower
 * part of the one before.
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
