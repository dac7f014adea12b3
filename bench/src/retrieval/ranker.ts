import type { RetrievalSet } from './load-sets.ts'

/** The ids of the best tools for a query, best first. */
export type Rank = (query: string, limit: number) => readonly string[]

export interface Ranker {
  readonly name: string
  readonly index: (set: RetrievalSet) => Rank
}
