import { Embedder, findModel, rankByMeaning, textOfTool } from '@hintgate/gateway/search'
import type { RetrievalSet } from './load-sets.ts'
import type { Rank, Ranker } from './ranker.ts'
import { createIndex } from './rankers.ts'

const SLICE = 32

/**
 * Hintgate's ranker with `search.semantic`. All vectors are computed before, because ranking itself does not wait. Throws if
 * the packages of the model are not installed.
 */
export async function createSemanticRanker(
  sets: readonly RetrievalSet[],
  folders: readonly string[],
): Promise<Ranker> {
  const failures: unknown[] = []
  const embedder = new Embedder(findModel(folders), error => failures.push(error))
  const texts = new Set(sets.flatMap(listTexts))
  const vectors = new Map<string, Float32Array>()
  const all = [...texts]
  for (let at = 0; at < all.length; at += SLICE) {
    const slice = all.slice(at, at + SLICE)
    const found = await embedder.embed(slice, false)
    if (found === undefined) throw new Error('the model failed', { cause: failures[0] })
    for (const [index, text] of slice.entries()) vectors.set(text, found[index] ?? new Float32Array())
  }
  await embedder.close()
  return { name: 'hintgate, semantic', index: set => indexSet(set, vectors) }
}

function listTexts({ tools, queries }: RetrievalSet): readonly string[] {
  return [...tools.map(textOfTool), ...queries.map(({ text }) => text)]
}

function indexSet({ tools }: RetrievalSet, vectors: ReadonlyMap<string, Float32Array>): Rank {
  const index = createIndex(tools)
  const candidates = tools.map(tool => ({
    id: tool.id,
    vector: vectors.get(textOfTool(tool)) ?? new Float32Array(),
  }))
  return (query, limit) => {
    const { hits } = index.search(query, { limit: tools.length, accept: () => true })
    const vector = vectors.get(query) ?? new Float32Array()
    return rankByMeaning(hits, candidates, vector)
      .slice(0, limit)
      .map(({ id }) => id)
  }
}
