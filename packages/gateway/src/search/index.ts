export { withEffectiveHints } from '../catalog/to-catalog-tool.ts'
export {
  type Explanation,
  type SearchHit,
  SearchIndex,
  type SearchOptions,
  type SearchResult,
} from './engine/search-index.ts'
export { STOP_WORDS, splitText } from './engine/split-text.ts'
export { stem } from './engine/stem.ts'
export type { SearchView } from './engine/vocabulary.ts'
export type { SearchDocument } from './engine/weigh-document.ts'
export { WEIGHTS, type Weights } from './engine/weights.ts'
export { countTokens } from './fit-tokens.ts'
export { Embedder } from './meaning/embedder.ts'
export { findModel } from './meaning/load-model.ts'
export { MEANING_WEIGHT, rankByMeaning, textOfTool } from './meaning/meanings.ts'
export { viewTool } from './tool-view.ts'
