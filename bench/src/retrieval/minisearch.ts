import { createRequire } from 'node:module'
import type { RetrievalSet } from './load-sets.ts'
import type { Rank } from './ranker.ts'

interface MiniSearch {
  addAll(documents: readonly object[]): void
  search(query: string): readonly { readonly id: unknown }[]
}

type MiniSearchClass = new (options: { readonly fields: readonly string[] }) => MiniSearch

/** MiniSearch with its defaults over name and description. Loaded at run time, because the build does not need it. */
export function loadMiniSearch(): (set: RetrievalSet) => Rank {
  const loaded: unknown = createRequire(import.meta.url)('minisearch')
  const Index = (
    typeof loaded === 'function' ? loaded : (loaded as { default: unknown }).default
  ) as MiniSearchClass
  return ({ tools }) => {
    const index = new Index({ fields: ['name', 'description'] })
    index.addAll(tools.map(({ id, name, description }) => ({ id, name, description })))
    return (query, limit) =>
      index
        .search(query)
        .slice(0, limit)
        .map(({ id }) => String(id))
  }
}
