import { describe, expect, it } from 'vitest'
import { mean, ndcgAt, recallAt, reciprocalRank } from './metrics.ts'

// 1 / log2(2), 1 / log2(3), 1 / log2(4), 1 / log2(5), 1 / log2(6), calculated by hand
const DISCOUNTS = [1, 0.630_93, 0.5, 0.430_68, 0.386_85]

describe('retrieval metrics against a table calculated by hand', () => {
  const table = [
    { ranked: 'abcde', relevant: 'a', recall1: 1, recall3: 1, rank: 1, ndcg: 1 },
    { ranked: 'abcde', relevant: 'b', recall1: 0, recall3: 1, rank: 1 / 2, ndcg: DISCOUNTS[1] },
    { ranked: 'abcde', relevant: 'd', recall1: 0, recall3: 0, rank: 1 / 4, ndcg: DISCOUNTS[3] },
    { ranked: 'abcde', relevant: 'z', recall1: 0, recall3: 0, rank: 0, ndcg: 0 },
    // two relevant at places 1 and 3: (1 + 0.5) / (1 + 0.63093)
    { ranked: 'abcde', relevant: 'ac', recall1: 0.5, recall3: 1, rank: 1, ndcg: 0.919_72 },
    // two relevant, one found at place 5: 0.38685 / 1.63093
    { ranked: 'abcde', relevant: 'ez', recall1: 0, recall3: 0, rank: 1 / 5, ndcg: 0.237_2 },
    { ranked: '', relevant: 'a', recall1: 0, recall3: 0, rank: 0, ndcg: 0 },
  ]

  it.each(table)('scores "$ranked" for "$relevant"', ({ ranked, relevant, recall1, recall3, rank, ndcg }) => {
    const ids = [...ranked]
    const wanted = new Set(relevant)
    expect(recallAt(ids, wanted, 1)).toBeCloseTo(recall1, 4)
    expect(recallAt(ids, wanted, 3)).toBeCloseTo(recall3, 4)
    expect(reciprocalRank(ids, wanted)).toBeCloseTo(rank, 4)
    expect(ndcgAt(ids, wanted, 10)).toBeCloseTo(ndcg ?? Number.NaN, 4)
  })

  it('ignores results beyond the given depth', () => {
    expect(ndcgAt(['x', 'x', 'a'], new Set('a'), 2)).toBe(0)
  })

  it('scores ten relevant tools of eleven in the first ten positions as perfect', () => {
    const relevant = new Set('abcdefghijk')
    expect(ndcgAt([...'abcdefghij'], relevant, 10)).toBe(1)
    expect(recallAt([...'abcdefghij'], relevant, 10)).toBeCloseTo(10 / 11, 6)
  })

  it('gives no score if nothing is relevant or nothing was measured', () => {
    expect(ndcgAt(['a'], new Set(), 10)).toBeNaN()
    expect(recallAt(['a'], new Set(), 10)).toBeNaN()
    expect(mean([])).toBeNaN()
  })
})
