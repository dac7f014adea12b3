import { type AnswerSizes, measureAnswers } from './answer-size.ts'
import type { RetrievalSet } from './load-sets.ts'
import { mean, ndcgAt, recallAt, reciprocalRank } from './metrics.ts'
import type { Rank, Ranker } from './ranker.ts'

export interface Scores {
  readonly recall1: number
  readonly recall3: number
  readonly recall5: number
  readonly recall10: number
  readonly mrr: number
  readonly ndcg10: number
}

interface RankerResult {
  readonly ranker: string
  readonly scores: Scores
}

interface SetResult {
  readonly set: string
  readonly tools: number
  readonly queries: number
  readonly rankers: readonly RankerResult[]
  readonly answers: AnswerSizes
}

export interface RetrievalResults {
  readonly sets: readonly SetResult[]
  /** Each set counts once. */
  readonly macro: readonly RankerResult[]
}

const DEPTH = 10

export function evaluateSets(sets: readonly RetrievalSet[], rankers: readonly Ranker[]): RetrievalResults {
  const results = sets.map(set => evaluateSet(set, rankers))
  const macro = rankers.map(({ name }) => ({
    ranker: name,
    scores: average(
      results
        .flatMap(({ rankers: own }) => own.filter(({ ranker }) => ranker === name))
        .map(own => own.scores),
    ),
  }))
  return { sets: results, macro }
}

function evaluateSet(set: RetrievalSet, rankers: readonly Ranker[]): SetResult {
  const ranks = rankers.map(({ name, index }) => ({ ranker: name, rank: index(set) }))
  const ours = ranks[0]?.rank ?? (() => [])
  return {
    set: set.name,
    tools: set.tools.length,
    queries: set.queries.length,
    rankers: ranks.map(({ ranker, rank }) => ({ ranker, scores: scoreRank(set, rank) })),
    answers: measureAnswers(set, ours),
  }
}

function scoreRank({ queries }: RetrievalSet, rank: Rank): Scores {
  return average(
    queries.map(({ text, relevant }) => {
      const ranked = rank(text, DEPTH)
      return {
        recall1: recallAt(ranked, relevant, 1),
        recall3: recallAt(ranked, relevant, 3),
        recall5: recallAt(ranked, relevant, 5),
        recall10: recallAt(ranked, relevant, DEPTH),
        mrr: reciprocalRank(ranked, relevant),
        ndcg10: ndcgAt(ranked, relevant, DEPTH),
      }
    }),
  )
}

function average(scores: readonly Scores[]): Scores {
  const of = (pick: (own: Scores) => number): number => mean(scores.map(pick))
  return {
    recall1: of(own => own.recall1),
    recall3: of(own => own.recall3),
    recall5: of(own => own.recall5),
    recall10: of(own => own.recall10),
    mrr: of(own => own.mrr),
    ndcg10: of(own => own.ndcg10),
  }
}
