import { nearest } from '@hintgate/metadata'
import { isFor } from '../catalog/app-of-tool.ts'
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import type { Caller } from '../exchange/exchange.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import { SearchIndex, type SearchOptions, type SearchResult } from './engine/search-index.ts'
import type { SearchView } from './engine/vocabulary.ts'
import { explainFilters, readFilters, type Understood, withUnderstood } from './filters/read-filters.ts'
import { explainUnknownDomains, findUnknownDomains } from './filters/unknown-domains.ts'
import { type Counts, explainFew, fitItems } from './fit-tokens.ts'
import { type Candidate, type Meanings, rankByMeaning } from './meaning/meanings.ts'
import { type ConfirmRules, type Detail, idOf, type ToolView, viewTool } from './tool-view.ts'
import { type Filters, isVisible, passesFilters } from './visible.ts'

/** Where the tools come from: the catalog, or the part of it that a toolset shows. */
export type ToolSource = Pick<Catalog, 'onChange' | 'tools' | 'held' | 'isKnown'>

/** The arguments of `retrieve_tools`. */
export interface Query extends Filters {
  readonly query: string
  readonly limit?: number
  readonly domains?: readonly string[]
  readonly detail?: Detail
  readonly max_tokens?: number
}

/** How many of the caller's tools are not shown, and why. Tools outside the caller's scope are never counted. */
interface Hidden {
  /** The number of matches that the query's filters excluded. */
  readonly filtered?: number
  /**
   * The number of tools that wait for review. They count whether or not they match, because their text is not searched
   * before the review.
   */
  readonly quarantined?: number
}

export interface Found {
  readonly tools: readonly ToolView[]
  /** The number of all matches, including those beyond the limit. */
  readonly total: number
  readonly query: string
  /** For each filter, the words of the query that were read as this filter. They are not searched for. */
  readonly understood?: Understood
  /** The requested domains that do not exist. */
  readonly unknown_domains?: readonly string[]
  readonly hidden?: Hidden
  readonly hint?: string
}

const LIMIT = 8
/** Tokens reserved for the rest of the answer: the hint and the session's risk. */
const RESERVED_TOKENS = 90
/** Maximum number of scopes whose visible tools are cached. A few are enough, because agents often share a scope. */
const MAX_SCOPES = 32
/** Maximum length of an id for which a suggestion is made. */
const LONGEST_ID = 64

/** The tools that callers with a certain scope can use, and these callers' view of the index. */
interface Visible {
  readonly tools: ReadonlyMap<string, CatalogTool>
  readonly view: SearchView
  /** The number of further tools that these callers could use after a review. */
  readonly quarantined: number
  /** The tools' vectors, once they are complete. */
  candidates?: readonly Candidate[]
}

interface FinderOptions {
  readonly servers?: readonly string[]
  readonly meanings?: Meanings | undefined
}

/**
 * Finds tools for callers. It never shows a tool that the caller cannot call, and it follows changes in the catalog.
 */
export class ToolFinder {
  readonly #catalog: ToolSource
  readonly #index = new SearchIndex()
  readonly #servers = new Set<string>()
  readonly #visible = new Map<string, Visible>()
  readonly #meanings: Meanings | undefined

  /**
   * `servers` are those that might have been listed before. With `meanings`, searches also compare meanings, as soon as
   * all tools that a caller can use have a vector.
   */
  constructor(catalog: ToolSource, { servers = [], meanings }: FinderOptions = {}) {
    this.#catalog = catalog
    this.#meanings = meanings
    for (const server of servers) this.#update(server)
    catalog.onChange(({ server }) => this.#update(server))
  }

  /**
   * Prepares the comparison of meanings for a query, if it is configured and the caller's tools are ready for it. Must
   * come before `find`, which otherwise compares words alone.
   */
  async prepare(caller: Caller, query: Query): Promise<void> {
    const { words } = readFilters(query.query, query)
    if (this.#meanings === undefined || this.#candidatesFor(this.#visibleTo(caller)) === undefined) return
    await this.#meanings.prepare(words)
  }

  /**
   * Finds tools for a query. It checks the scope first, then filters, then ranks, so that a filter never shortens an
   * already limited list.
   */
  find(caller: Caller, query: Query, confirm: ConfirmRules): Found {
    return this.#find(caller, query, { confirm, explain: false })
  }

  /** Does the same as `find`, but explains each score to operators. */
  explain(caller: Caller, query: Query, confirm: ConfirmRules): Found {
    return this.#find(caller, query, { confirm, explain: true })
  }

  #find(
    caller: Caller,
    query: Query,
    { confirm, explain }: { confirm: ConfirmRules; explain: boolean },
  ): Found {
    const { tools: visible, view, quarantined } = this.#visibleTo(caller)
    const { words, understood } = readFilters(query.query, query)
    const filters = withUnderstood(query, understood)
    let filtered = 0
    const accept = (id: string): boolean => {
      const tool = visible.get(id)
      const passes = tool !== undefined && passesFilters(tool, filters)
      if (!passes) filtered += 1
      return passes
    }
    const { limit = LIMIT, domains, detail = 'compact' } = query
    const options = { limit, view, accept, explain, ...(domains && { domains }) }
    const passes = (id: string): boolean => {
      const tool = visible.get(id)
      return tool !== undefined && passesFilters(tool, filters)
    }
    const found =
      this.#searchMeanings(words, { options, passes, visible: this.#visibleTo(caller) }) ??
      this.#index.search(words, options)
    const tools = found.hits.flatMap(({ id, score, explain: why }) => {
      const tool = visible.get(id)
      if (tool === undefined) return []
      return [{ ...viewTool(tool, { score, detail, confirm }), ...(why && { explain: why }) }]
    })
    const counts = { total: found.total, filtered, visible: visible.size, quarantined }
    const hasTool = (domain: string): boolean => [...visible.values()].some(tool => isOfDomain(tool, domain))
    const unknown = findUnknownDomains(domains, hasTool)
    return fit({ tools, query, understood, unknown }, counts)
  }

  /**
   * Ranks the caller's tools by words and meaning together. Only tools that the caller may use and that pass the filters
   * take part. Returns undefined if words alone must decide.
   */
  #searchMeanings(
    words: string,
    {
      options,
      passes,
      visible,
    }: { options: SearchOptions; passes: (id: string) => boolean; visible: Visible },
  ): SearchResult | undefined {
    const query = this.#meanings?.ofQuery(words)
    const all = query === undefined ? undefined : this.#candidatesFor(visible)
    if (query === undefined || all === undefined) return undefined
    const { hits, total } = this.#index.search(words, { ...options, limit: visible.tools.size })
    const candidates = all.filter(({ id }) => passes(id))
    const ranked = rankByMeaning(hits, candidates, query)
    return { hits: ranked.slice(0, options.limit), total: Math.max(total, ranked.length) }
  }

  /** The vectors of a caller's tools, or undefined if one is missing: half of a catalog must not outrank the rest. */
  #candidatesFor(visible: Visible): readonly Candidate[] | undefined {
    if (visible.candidates !== undefined) return visible.candidates
    const found: Candidate[] = []
    for (const [id, { server }] of visible.tools) {
      const vector = this.#meanings?.of(server, id)
      if (vector === undefined) return undefined
      found.push({ id, vector })
    }
    visible.candidates = found
    return found
  }

  /** Returns the tool with an id such as `server:tool`, if the caller is allowed to use it. */
  get(caller: Caller, id: string): CatalogTool | undefined {
    return this.#visibleTo(caller).tools.get(id)
  }

  /**
   * Suggests an id in place of one that does not exist. It is chosen from the tools that the caller is allowed to use.
   */
  suggest(caller: Caller, id: string): string | undefined {
    if (id.length > LONGEST_ID) return undefined
    const { view } = this.#visibleTo(caller)
    const { hits } = this.#index.search(id, { limit: 20, view, accept: () => true })
    return nearest(
      id,
      hits.map(hit => hit.id),
    )
  }

  #visibleTo(caller: Caller): Visible {
    const key = JSON.stringify(caller.principal.scope)
    const known = this.#visible.get(key)
    if (known !== undefined) return known
    const tools = [...this.#servers].flatMap(server => this.#catalog.tools(server))
    const byId = new Map(
      tools
        .filter(tool => isVisible(tool, caller) && isFor('model', tool))
        .map(tool => [idOf(tool), tool] as const),
    )
    const held = [...this.#servers].flatMap(server => this.#catalog.held(server))
    const visible: Visible = {
      tools: byId,
      view: this.#index.createView(id => byId.has(id)),
      quarantined: held.filter(({ server, name }) => mayUseTool(caller.principal.scope, server, name)).length,
    }
    if (this.#visible.size >= MAX_SCOPES) this.#visible.clear()
    this.#visible.set(key, visible)
    return visible
  }

  #update(server: string): void {
    this.#visible.clear()
    const tools = this.#catalog.tools(server)
    if (this.#catalog.isKnown(server)) this.#servers.add(server)
    else this.#servers.delete(server)
    const documents = tools.map(toDocument)
    this.#index.replaceServer(server, documents)
    void this.#meanings?.replaceServer(server, documents)
  }
}

function isOfDomain({ assessment }: CatalogTool, domain: string): boolean {
  return assessment.effective.serviceDomains.value.some(own => own === domain)
}

function toDocument(tool: CatalogTool) {
  const { server, name, alias, definition, assessment } = tool
  return {
    id: idOf(tool),
    server,
    name: alias ?? name,
    title: assessment.title,
    description: typeof definition.description === 'string' ? definition.description : '',
    inputSchema: definition.inputSchema,
    domains: assessment.effective.serviceDomains.value,
    tags: assessment.declared.tags ?? [],
  }
}

interface Ranked {
  readonly tools: readonly ToolView[]
  readonly query: Query
  readonly understood: Understood
  readonly unknown: readonly string[]
}

function fit({ tools, query, understood, unknown }: Ranked, counts: Omit<Counts, 'shown' | 'found'>): Found {
  const { total, filtered, quarantined } = counts
  const hidden = { ...(quarantined > 0 && { quarantined }), ...(filtered > 0 && { filtered }) }
  const explained = explainFilters(understood)
  const rest = {
    total,
    query: query.query,
    ...(explained !== undefined && { understood }),
    ...(unknown.length > 0 && { unknown_domains: unknown }),
    ...(filtered + quarantined > 0 && { hidden }),
  }
  const budget = query.max_tokens === undefined ? undefined : query.max_tokens - RESERVED_TOKENS
  const count = budget === undefined ? tools.length : fitItems(tools, { rest, explained }, budget)
  const few = explainFew({ ...counts, shown: count, found: tools.length })
  const hint = [explained, explainUnknownDomains(unknown), few].filter(text => text !== undefined).join(' ')
  return { tools: tools.slice(0, count), ...rest, ...(hint === '' ? {} : { hint }) }
}
