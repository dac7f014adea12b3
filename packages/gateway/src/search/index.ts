export type { SearchDocument } from './search-document.ts'
export {
  type Explanation,
  type SearchHit,
  SearchIndex,
  type SearchOptions,
  type SearchResult,
} from './search-index.ts'
export { WEIGHTS, type Weights } from './weights.ts'
