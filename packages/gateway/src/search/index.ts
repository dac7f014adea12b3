export { withEffectiveHints } from '../catalog/effective-definition.ts'
export { countTokens } from '../finder/fit-tokens.ts'
export { viewTool } from '../finder/tool-view.ts'
export type { SearchDocument } from './search-document.ts'
export {
  type Explanation,
  type SearchHit,
  SearchIndex,
  type SearchOptions,
  type SearchResult,
} from './search-index.ts'
export type { SearchView } from './search-view.ts'
export { WEIGHTS, type Weights } from './weights.ts'
