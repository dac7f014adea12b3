import { SearchIndex, WEIGHTS } from '@hintgate/gateway/search'
import type { RetrievalSet } from './load-sets.ts'
import { loadMiniSearch } from './minisearch.ts'
import { indexPlainBm25, indexStemmedBm25 } from './plain-bm25.ts'
import type { Rank, Ranker } from './ranker.ts'

/** What is left without the part that was written by people who had seen the sets. */
export const NO_THESAURUS = 'hintgate, no thesaurus'

/** Hintgate's ranker first, then those it is compared with. */
export function listRankers(): readonly Ranker[] {
  return [
    { name: 'hintgate', index: ({ tools }) => indexOurs(tools) },
    { name: NO_THESAURUS, index: ({ tools }) => indexOurs(tools, { ...WEIGHTS, synonym: 0 }) },
    { name: 'MiniSearch', index: loadMiniSearch() },
    { name: 'stemmed BM25', index: ({ tools }) => indexStemmedBm25(tools) },
    { name: 'plain BM25', index: ({ tools }) => indexPlainBm25(tools) },
  ]
}

export function createIndex(tools: RetrievalSet['tools'], weights = WEIGHTS): SearchIndex {
  const index = new SearchIndex(weights)
  const servers = new Set(tools.map(({ server }) => server))
  for (const own of servers) {
    index.replaceServer(
      own,
      tools.filter(({ server }) => server === own),
    )
  }
  return index
}

function indexOurs(tools: RetrievalSet['tools'], weights = WEIGHTS): Rank {
  const index = createIndex(tools, weights)
  const accept = (): boolean => true
  return (query, limit) => index.search(query, { limit, accept }).hits.map(({ id }) => id)
}
