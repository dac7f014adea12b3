import { createHash } from 'node:crypto'
import type { SearchHit } from '../engine/search-index.ts'
import { splitText } from '../engine/split-text.ts'
import type { SearchDocument } from '../engine/weigh-document.ts'
import type { Embeds, Vector } from './embedder.ts'

/** Maximum number of tools with a vector: 40 MB. Callers who can see more search by words only. */
const MAX_TOOLS = 20_000
const MAX_QUERIES = 500
/** The beginning of a description says what the tool is for, and the model takes longer for a longer text. */
const MAX_TEXT = 600
/** Tools per job, so that a query never waits long for a job to end. */
const SLICE = 8

/** Returns the text about a tool that the model reads. */
export function textOfTool({ name, title, description }: SearchDocument): string {
  return `${splitText(name, MAX_TEXT).words.join(' ')}. ${title} ${description}`.slice(0, MAX_TEXT)
}

/** Vectors of the catalog's tools and of recent queries. A text that did not change is never embedded again. */
export class Meanings {
  readonly #embedder: Embeds
  /** For each server, the key of each tool's text, by tool id. */
  readonly #servers = new Map<string, ReadonlyMap<string, string>>()
  readonly #vectors = new Map<string, Vector>()
  readonly #queries = new Map<string, Vector>()
  readonly #waiting = new Set<string>()

  readonly #onReady: (tools: number) => void

  /** `onReady` gets the number of tools each time that all of them have a vector. */
  constructor(embedder: Embeds, onReady: (tools: number) => void = () => undefined) {
    this.#embedder = embedder
    this.#onReady = onReady
  }

  /** Replaces the tools of one server. The vectors follow later. */
  async replaceServer(server: string, documents: readonly SearchDocument[]): Promise<void> {
    const texts = new Map(documents.map(document => [document.id, textOfTool(document)]))
    this.#servers.set(server, new Map([...texts].map(([id, text]) => [id, toKey(text)])))
    if (documents.length === 0) this.#servers.delete(server)
    this.#forgetUnused()
    const room = Math.max(0, MAX_TOOLS - this.#vectors.size - this.#waiting.size)
    const fresh = [...new Set(texts.values())].filter(text => this.#lacks(toKey(text))).slice(0, room)
    for (const text of fresh) this.#waiting.add(toKey(text))
    const slices = Array.from({ length: Math.ceil(fresh.length / SLICE) }, (_, at) =>
      fresh.slice(at * SLICE, (at + 1) * SLICE),
    )
    await Promise.all(slices.map(slice => this.#learn(slice)))
    const tools = [...this.#servers.values()].flatMap(own => [...own.values()])
    if (fresh.length > 0 && tools.every(key => this.#vectors.has(key))) this.#onReady(tools.length)
  }

  /** The vector of a tool, or undefined as long as there is none. */
  of(server: string, id: string): Vector | undefined {
    return this.#vectors.get(this.#servers.get(server)?.get(id) ?? '')
  }

  /** Prepares the vector of a query. */
  async prepare(query: string): Promise<void> {
    const text = query.slice(0, MAX_TEXT)
    if (text === '' || this.#queries.has(text)) return
    const [vector] = (await this.#embedder.embed([text], true)) ?? []
    if (vector === undefined) return
    const oldest = this.#queries.keys().next().value
    if (this.#queries.size >= MAX_QUERIES && oldest !== undefined) this.#queries.delete(oldest)
    this.#queries.set(text, vector)
  }

  /** The vector of a prepared query. */
  ofQuery(query: string): Vector | undefined {
    return this.#queries.get(query.slice(0, MAX_TEXT))
  }

  #lacks(key: string): boolean {
    return !this.#vectors.has(key) && !this.#waiting.has(key)
  }

  async #learn(texts: readonly string[]): Promise<void> {
    const vectors = await this.#embedder.embed(texts, false)
    for (const [at, text] of texts.entries()) {
      const key = toKey(text)
      this.#waiting.delete(key)
      const vector = vectors?.[at]
      if (vector !== undefined) this.#vectors.set(key, vector)
    }
  }

  /** Forgets the vectors of tools that no longer exist. */
  #forgetUnused(): void {
    const used = new Set([...this.#servers.values()].flatMap(own => [...own.values()]))
    for (const key of this.#vectors.keys()) if (!used.has(key)) this.#vectors.delete(key)
  }
}

function toKey(text: string): string {
  return createHash('sha256').update(text).digest('base64')
}

/** A tool that may be found, with its vector. */
export interface Candidate {
  readonly id: string
  readonly vector: Vector
}

/** How much the meaning counts: this share of the best score by words, times the similarity. */
export const MEANING_WEIGHT = 0.6
/** A tool without any of the query's words is found if it is at least this similar. */
const LEAST_SIMILARITY = 0.45

/**
 * Ranks by words and meaning together: the score by words, plus the similarity in proportion to the best such score. All
 * candidates must be tools that the caller may find, so that no other tool affects the result.
 */
export function rankByMeaning(
  hits: readonly SearchHit[],
  candidates: readonly Candidate[],
  query: Vector,
): readonly SearchHit[] {
  const scoreOf = new Map(hits.map(hit => [hit.id, hit]))
  const best = hits.reduce((most, { score }) => Math.max(most, score), 0)
  const unit = (best === 0 ? 1 : best) * MEANING_WEIGHT
  const ranked = candidates.flatMap(({ id, vector }) => {
    const hit = scoreOf.get(id)
    const similarity = compare(query, vector)
    if (hit === undefined && similarity < LEAST_SIMILARITY) return []
    const points = unit * Math.max(0, similarity)
    const explain = hit?.explain && [...hit.explain, { word: 'meaning', matched: 'similar meaning', points }]
    return [{ id, score: (hit?.score ?? 0) + points, ...(explain && { explain }) }]
  })
  return ranked.sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
}

function compare(a: Vector, b: Vector): number {
  let sum = 0
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0)
  return sum
}
