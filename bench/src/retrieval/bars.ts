import type { RetrievalResults } from './evaluate.ts'
import { NO_THESAURUS } from './rankers.ts'
import type { SpeedResults } from './speed.ts'

export interface Bar {
  readonly name: string
  readonly value: number
  readonly bound: number
  readonly sense: 'at least' | 'below'
  readonly met: boolean
}

/** The bars of issue 4 on the shared sets, as nDCG@10. */
const QUALITY: ReadonlyMap<string, number> = new Map([
  ['azure-mcp', 0.9],
  ['mcptoolbenchpp', 0.87],
  ['metatool-single', 0.64],
  ['metatool-multi', 0.66],
])

/** Other sets have no bar. */
export function checkQuality(results: RetrievalResults): readonly Bar[] {
  return [checkGain(results, NO_THESAURUS), checkGain(results, 'hintgate'), ...checkSets(results)]
}

const BASELINE = 'stemmed BM25'
const LEAST_GAIN = 0.05

/** What the index adds to a baseline that anyone could write in an hour. */
function checkGain({ macro }: RetrievalResults, ours: string): Bar {
  const baseline = macro.find(({ ranker }) => ranker === BASELINE)?.scores.ndcg10 ?? Number.NaN
  const own = macro.find(({ ranker }) => ranker === ours)?.scores.ndcg10 ?? Number.NaN
  const value = own - baseline
  const name = `mean nDCG@10 of ${ours} over ${BASELINE}`
  return { name, value, bound: LEAST_GAIN, sense: 'at least', met: value >= LEAST_GAIN }
}

function checkSets({ sets }: RetrievalResults): readonly Bar[] {
  return sets.flatMap(({ set, rankers }) => {
    const bound = QUALITY.get(set)
    const value = rankers[0]?.scores.ndcg10 ?? Number.NaN
    return bound === undefined
      ? []
      : [{ name: `nDCG@10 on ${set}`, value, bound, sense: 'at least', met: value >= bound }]
  })
}

const QUERY_MILLISECONDS: ReadonlyMap<number, number> = new Map([
  [10_000, 2],
  [50_000, 10],
])
const UPDATE_MILLISECONDS = 20
const MEGABYTES_AT_10_000 = 60

export function checkSpeed(results: readonly SpeedResults[]): readonly Bar[] {
  return results.flatMap(({ tools, query99, update50, megabytes }) => {
    const query = QUERY_MILLISECONDS.get(tools) ?? Number.POSITIVE_INFINITY
    return [
      below(`query, CPU ms p99, ${tools} tools`, query99, query),
      below(`replace one server of 50 tools, CPU ms, ${tools} tools`, update50, UPDATE_MILLISECONDS),
      ...(tools === 10_000 ? [below('index of 10000 tools, MB', megabytes, MEGABYTES_AT_10_000)] : []),
    ]
  })
}

function below(name: string, value: number, bound: number): Bar {
  return { name, value, bound, sense: 'below', met: value < bound }
}
