import type { SearchDocument } from '@hintgate/gateway/search'

const K1 = 1.2
const B = 0.75

function splitPlainly(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

/** A baseline: BM25 over name and description, without stemming, synonyms or fields. */
export function indexPlainBm25(
  tools: readonly SearchDocument[],
): (query: string, limit: number) => readonly string[] {
  const documents = tools.map(({ id, name, description }) => {
    const words = splitPlainly(`${name} ${description}`)
    return { id, length: words.length, counts: countWords(words) }
  })
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const frequencies = countWords(documents.flatMap(({ counts }) => [...counts.keys()]))
  const rarityOf = (word: string): number => {
    const frequency = frequencies.get(word) ?? 0
    return Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5))
  }
  return (query, limit) => {
    const words = splitPlainly(query)
    return documents
      .map(({ id, length, counts }) => {
        const norm = K1 * (1 - B + (B * length) / averageLength)
        const score = words.reduce((sum, word) => {
          const count = counts.get(word) ?? 0
          return count === 0 ? sum : sum + (rarityOf(word) * count * (K1 + 1)) / (count + norm)
        }, 0)
        return { id, score }
      })
      .filter(({ score }) => score > 0)
      .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
      .slice(0, limit)
      .map(({ id }) => id)
  }
}

function countWords(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}
