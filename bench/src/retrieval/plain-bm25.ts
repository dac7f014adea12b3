import { type SearchDocument, STOP_WORDS, splitText, stem } from '@hintgate/gateway/search'
import type { Rank } from './ranker.ts'

const K1 = 1.2
const B = 0.75

function splitPlainly(text: string): readonly string[] {
  return text.toLowerCase().match(/[a-z0-9]+/g) ?? []
}

/** A baseline: BM25 over name and description, without stemming, synonyms or fields. */
export function indexPlainBm25(tools: readonly SearchDocument[]): Rank {
  return indexWords(tools, ({ name, description }) => `${name} ${description}`, splitPlainly)
}

/** The stronger baseline: also parameters and the server, with split identifiers, stop words and Porter's stems. */
export function indexStemmedBm25(tools: readonly SearchDocument[]): Rank {
  const textOf = ({ name, description, server, inputSchema }: SearchDocument): string =>
    [name, description, server, ...listParameters(inputSchema)].join(' ')
  return indexWords(tools, textOf, text =>
    splitText(text, text.length)
      .words.filter(word => !STOP_WORDS.has(word))
      .map(stem),
  )
}

function listParameters(schema: unknown): readonly string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return []
  return Object.entries(schema.properties ?? {}).map(([name, property]: [string, unknown]) => {
    const isTold = typeof property === 'object' && property !== null && 'description' in property
    return isTold ? `${name} ${String(property.description)}` : name
  })
}

function indexWords(
  tools: readonly SearchDocument[],
  textOf: (tool: SearchDocument) => string,
  split: (text: string) => readonly string[],
): Rank {
  const documents = tools.map(tool => {
    const words = split(textOf(tool))
    return { id: tool.id, length: words.length, counts: countWords(words) }
  })
  const averageLength = documents.reduce((sum, { length }) => sum + length, 0) / documents.length
  const frequencies = countWords(documents.flatMap(({ counts }) => [...counts.keys()]))
  const rarityOf = (word: string): number => {
    const frequency = frequencies.get(word) ?? 0
    return Math.log(1 + (documents.length - frequency + 0.5) / (frequency + 0.5))
  }
  return (query, limit) => {
    const words = split(query)
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
