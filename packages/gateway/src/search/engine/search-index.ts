import { type Concept, expandQuery } from './expand-query.ts'
import { readQuery } from './read-query.ts'
import { type Hit, Scratch, TopHits } from './top-hits.ts'
import { IMPACT, IMPACT_UNIT, type Postings, SearchView, SLOT, STRIDE, Vocabulary } from './vocabulary.ts'
import { type SearchDocument, weighDocument } from './weigh-document.ts'
import { WEIGHTS, type Weights } from './weights.ts'

export interface SearchOptions {
  readonly limit: number
  /**
   * The caller's view of the index. A new view must be created after every change of the index. Undefined for a caller
   * who can see everything.
   */
  readonly view?: SearchView
  /** Decides which visible matches count, before the limit is applied. It must not search this index itself. */
  readonly accept: (id: string) => boolean
  /** Tools of these domains score higher. Other tools are not excluded. */
  readonly domains?: readonly string[]
  /** True to explain, for each hit, which words contributed to its score. */
  readonly explain?: boolean
}

/** The contribution of one query word to a score (before boosts), and the word in the catalog that it matched. */
export interface Explanation {
  readonly word: string
  readonly matched: string
  readonly points: number
}

export interface SearchHit extends Hit {
  readonly explain?: readonly Explanation[]
}

export interface SearchResult {
  readonly hits: readonly SearchHit[]
  /** The number of all accepted matches, including those beyond the limit. */
  readonly total: number
}

/** A tool in the index. Its slot identifies it in all postings. */
interface Entry {
  readonly id: string
  readonly name: string
  readonly domains: readonly string[]
  /** The tool's words, by their numbers in the vocabulary. */
  readonly words: Int32Array
  readonly nameTerms: readonly number[]
}

const NO_DOMAINS: readonly string[] = []
const MAX_DOMAINS = 64
/**
 * Maximum length of a name that can be matched exactly. Longer names are not kept, because hostile servers could fill
 * the index with them.
 */
const MAX_ASKED_NAME = 512

interface Boost {
  /** The highest factor that a boost can give to any tool. */
  readonly most: number
  readonly of: (entry: Entry) => number
}

/**
 * A BM25F index of the tools of all servers. A library is not used for three reasons: the filter must run before the
 * limit; it must be possible to replace one server without touching the others; and with 10,000 tools, typed arrays
 * answer in a tenth of MiniSearch's time. The same documents and query always give the same order, whatever the order
 * in which the documents were added.
 */
export class SearchIndex {
  readonly #weights: Weights
  readonly #vocabulary = new Vocabulary()
  readonly #servers = new Map<string, readonly number[]>()
  readonly #entries: (Entry | undefined)[] = []
  /** The ids by slot. They have their own array, because ranking visits every id but only a few entries. */
  readonly #ids: (string | undefined)[] = []
  readonly #freeSlots: number[] = []
  #size = 0
  #version = 0
  #everything: SearchView | undefined
  #scratch = new Scratch(0, 0)

  constructor(weights: Weights = WEIGHTS) {
    this.#weights = weights
  }

  get size(): number {
    return this.#size
  }

  /** Replaces all tools of one server. If several documents have the same id, the last one counts. */
  replaceServer(server: string, documents: readonly SearchDocument[]): void {
    this.removeServer(server)
    const byId = new Map(documents.map(document => [document.id, document]))
    if (byId.size === 0) return
    this.#servers.set(
      server,
      [...byId.values()].map(document => this.#add(document)),
    )
    this.#size += byId.size
  }

  removeServer(server: string): void {
    this.#version += 1
    this.#everything = undefined
    const slots = this.#servers.get(server)
    if (slots === undefined) return
    this.#servers.delete(server)
    this.#size -= slots.length
    this.#remove(slots)
  }

  /** Creates a caller's view of the current index. */
  createView(isVisible: (id: string) => boolean): SearchView {
    const visible = Uint8Array.from(this.#ids, id => (id !== undefined && isVisible(id) ? 1 : 0))
    return new SearchView(this.#vocabulary, visible, this.#version)
  }

  /** Returns the best tools for a query. A query without words lists the accepted tools by id, each with score 0. */
  search(query: string, options: SearchOptions): SearchResult {
    const view = this.#viewOf(options)
    const words = readQuery(query, this.#weights)
    if (words.length === 0) return this.#listAll(view, options)
    const concepts = expandQuery(words, view, this.#weights)
    const scratch = this.#readyScratch()
    for (const concept of concepts) this.#credit(concept, view, scratch)
    const result = this.#select({ scratch, view, query }, options)
    if (options.explain !== true) return result
    return {
      ...result,
      hits: result.hits.map(hit => ({ ...hit, explain: this.#explain(hit.id, concepts, view) })),
    }
  }

  #viewOf({ view }: SearchOptions): SearchView {
    if (view === undefined) {
      this.#everything ??= this.createView(() => true)
      return this.#everything
    }
    if (view.version !== this.#version) throw new Error('the index has changed since this view was created')
    return view
  }

  #add(document: SearchDocument): number {
    const { impacts, nameStems } = weighDocument(document, this.#weights)
    const slot = this.#freeSlots.pop() ?? this.#entries.length
    const words = Int32Array.from(impacts.keys(), word => this.#vocabulary.add(word))
    let at = 0
    for (const impact of impacts.values()) this.#vocabulary.postingsOf(words[at++] ?? 0).add(slot, impact)
    const nameTerms = nameStems.map(word => this.#vocabulary.add(word))
    this.#ids[slot] = document.id
    this.#entries[slot] = {
      id: document.id,
      name: document.name.length > MAX_ASKED_NAME ? '' : document.name,
      domains: document.domains.length === 0 ? NO_DOMAINS : document.domains.slice(0, MAX_DOMAINS),
      words,
      nameTerms,
    }
    return slot
  }

  /**
   * Removes tools. The postings of each of their words are visited only once, no matter how many of the tools have the
   * word.
   */
  #remove(slots: readonly number[]): void {
    const isGone = new Uint8Array(this.#entries.length)
    const terms = new Set<number>()
    for (const slot of slots) {
      isGone[slot] = 1
      for (const term of this.#entries[slot]?.words ?? []) terms.add(term)
      this.#entries[slot] = undefined
      this.#ids[slot] = undefined
      this.#freeSlots.push(slot)
    }
    for (const term of terms) this.#vocabulary.drop(term, isGone)
  }

  #listAll(view: SearchView, { limit, accept }: SearchOptions): SearchResult {
    const top = new TopHits(toCount(limit))
    let total = 0
    for (const [slot, entry] of this.#entries.entries()) {
      if (entry === undefined || !view.sees(slot) || !accept(entry.id)) continue
      top.add(entry.id, 0)
      total += 1
    }
    return { hits: top.list(), total }
  }

  #readyScratch(): Scratch {
    const slots = this.#entries.length
    const terms = this.#vocabulary.capacity
    if (this.#scratch.scores.length < slots || this.#scratch.spoken.length < terms) {
      this.#scratch = new Scratch(slots * 2, terms * 2)
    } else this.#scratch.clear()
    return this.#scratch
  }

  /**
   * Returns the points for each alternative of a concept. A related word never counts as rarer than the query's own
   * word.
   */
  #price(
    { weight, alternatives }: Concept,
    view: SearchView,
  ): readonly { readonly term: number; readonly points: number }[] {
    const asked = alternatives.find(({ factor }) => factor === 1)
    const most = asked === undefined ? Number.POSITIVE_INFINITY : view.rarityOf(asked.term)
    return alternatives.map(({ term, factor }) => ({
      term,
      points: weight * factor * Math.min(most, view.rarityOf(term)),
    }))
  }

  /** Adds the points for a concept's best alternative to the score of every tool that matches an alternative. */
  #credit(concept: Concept, view: SearchView, scratch: Scratch): void {
    scratch.concept += 1
    for (const { term, factor } of concept.alternatives) {
      const spoken = Math.min(1, concept.weight * factor)
      scratch.spoken[term] = Math.max(scratch.spoken[term] ?? 0, spoken)
    }
    for (const { term, points } of this.#price(concept, view)) {
      creditPostings(this.#vocabulary.postingsOf(term), points, scratch)
    }
  }

  #select(
    { scratch, view, query }: { scratch: Scratch; view: SearchView; query: string },
    options: SearchOptions,
  ): SearchResult {
    const { scores, spoken } = scratch
    const top = new TopHits(toCount(options.limit))
    const boost = this.#createBoost(query, options.domains)
    const mostCoverage = 1 + this.#weights.nameCoverage
    let total = 0
    for (let slot = 0; slot < this.#ids.length; slot += 1) {
      const plain = scores[slot] ?? 0
      const id = this.#ids[slot]
      if (plain === 0 || id === undefined || !view.sees(slot) || !options.accept(id)) continue
      total += 1
      // Most tools are skipped on the basis of their score alone, because examining each one would cost more than
      // everything else.
      if (plain * boost.most * mostCoverage < top.floor) continue
      const entry = this.#entries[slot]
      if (entry === undefined) continue
      const coverage = 1 + this.#weights.nameCoverage * coverName(entry, spoken, view)
      top.add(id, plain * boost.of(entry) * coverage)
    }
    return { hits: top.list(), total }
  }

  #createBoost(query: string, domains: readonly string[] = []): Boost {
    const { domain, named } = this.#weights
    const wanted = [...new Set(domains)]
    const asked = query.length > MAX_ASKED_NAME ? '' : query.trim().toLowerCase()
    const mayBeName = asked !== '' && !/\s/.test(asked)
    return {
      most: (1 + domain * wanted.length) * (mayBeName ? named : 1),
      of: ({ id, name, domains: own }) => {
        const matches = wanted.filter(one => own.includes(one)).length
        const isNamed = mayBeName && (name.toLowerCase() === asked || id.toLowerCase() === asked)
        return (1 + domain * matches) * (isNamed ? named : 1)
      },
    }
  }

  #explain(id: string, concepts: readonly Concept[], view: SearchView): readonly Explanation[] {
    const slot = this.#entries.findIndex(entry => entry?.id === id)
    return concepts.flatMap(concept => {
      const found = this.#price(concept, view).map(({ term, points }) => {
        const postings = this.#vocabulary.postingsOf(term)
        const impact = postings.impactOn(slot)
        return { word: concept.word, matched: this.#vocabulary.wordOf(term), points: points * impact }
      })
      const best = found.sort((a, b) => b.points - a.points)[0]
      return best === undefined || best.points === 0 ? [] : [best]
    })
  }
}

/** Returns the share of a name that the query mentions. Rare words count more. */
function coverName({ nameTerms }: Entry, spoken: Float64Array, view: SearchView): number {
  let covered = 0
  let whole = 0
  for (const term of nameTerms) {
    const rarity = view.rarityOf(term)
    covered += rarity * (spoken[term] ?? 0)
    whole += rarity
  }
  return whole === 0 ? 0 : covered / whole
}

/**
 * Adds the points of one word to the score of every tool that has it. Nearly all of a search's time is spent in this
 * loop.
 */
function creditPostings({ data, length }: Postings, points: number, scratch: Scratch): void {
  const { scores, best, creditedBy, concept } = scratch
  const unit = points * IMPACT_UNIT
  const end = length * STRIDE
  for (let at = 0; at < end; at += STRIDE) {
    const slot = data[at + SLOT] ?? 0
    const own = unit * (data[at + IMPACT] ?? 0)
    const before = creditedBy[slot] === concept ? (best[slot] ?? 0) : 0
    if (own <= before) continue
    scores[slot] = (scores[slot] ?? 0) + own - before
    best[slot] = own
    creditedBy[slot] = concept
  }
}

function toCount(limit: number): number {
  return Number.isNaN(limit) ? 0 : Math.max(0, Math.floor(limit))
}
