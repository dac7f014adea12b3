import { nearest } from '@hintgate/metadata'
import type { Catalog, CatalogTool } from '../catalog/catalog.ts'
import type { Caller } from '../exchange/exchange.ts'
import { mayUseTool } from '../scope/match-scope.ts'
import { SearchIndex } from './engine/search-index.ts'
import type { SearchView } from './engine/vocabulary.ts'
import { type Counts, explainFew, fitItems } from './fit-tokens.ts'
import { type ConfirmRules, type Detail, idOf, type ToolView, viewTool } from './tool-view.ts'
import { type Filters, isVisible, passesFilters } from './visible.ts'

/** What `retrieve_tools` is asked. */
export interface Query extends Filters {
  readonly query: string
  readonly limit?: number
  readonly domains?: readonly string[]
  readonly detail?: Detail
  readonly max_tokens?: number
}

/** How much of what the caller may use is not shown. Of everything else, nothing is said. */
interface Hidden {
  /** Matches that its own filters left out. */
  readonly filtered?: number
  /** Tools that wait for review, matches or not: nobody has looked at what they say. */
  readonly quarantined?: number
}

export interface Found {
  readonly tools: readonly ToolView[]
  /** All matches, also those that the limit cut off. */
  readonly total: number
  readonly query: string
  readonly hidden?: Hidden
  readonly hint?: string
}

const LIMIT = 8
/** For what stands around the tools: the hint, and what the session has touched. */
const RESERVED_TOKENS = 90
/** Scopes whose tools are kept sorted out; agents often come with one of a few. */
const MAX_SCOPES = 32
/** Nobody mistypes a name that long. */
const LONGEST_ID = 64

/** What callers with one scope may use, and see of the index. */
interface Visible {
  readonly tools: ReadonlyMap<string, CatalogTool>
  readonly view: SearchView
  /** How many more there would be if they did not wait for review. */
  readonly quarantined: number
}

/** Finds tools for callers, and never shows anybody what they may not call. Follows the catalog as it changes. */
export class ToolFinder {
  readonly #catalog: Catalog
  readonly #index = new SearchIndex()
  readonly #servers = new Set<string>()
  readonly #visible = new Map<string, Visible>()

  constructor(catalog: Catalog) {
    this.#catalog = catalog
    catalog.onChange(({ server }) => this.#update(server))
  }

  /** Authorise, then filter, then rank: filters never eat what ranking already cut. */
  find(caller: Caller, query: Query, confirm: ConfirmRules): Found {
    return this.#find(caller, query, { confirm, explain: false })
  }

  /** The same, and of every tool which words brought its score: for operators, who want to know why. */
  explain(caller: Caller, query: Query, confirm: ConfirmRules): Found {
    return this.#find(caller, query, { confirm, explain: true })
  }

  #find(
    caller: Caller,
    query: Query,
    { confirm, explain }: { confirm: ConfirmRules; explain: boolean },
  ): Found {
    const { tools: visible, view, quarantined } = this.#visibleTo(caller)
    let filtered = 0
    const accept = (id: string): boolean => {
      const tool = visible.get(id)
      const passes = tool !== undefined && passesFilters(tool, query)
      if (!passes) filtered += 1
      return passes
    }
    const { limit = LIMIT, domains, detail = 'compact' } = query
    const options = { limit, view, accept, explain, ...(domains && { domains }) }
    const found = this.#index.search(query.query, options)
    const tools = found.hits.flatMap(({ id, score, explain: words }) => {
      const tool = visible.get(id)
      if (tool === undefined) return []
      return [{ ...viewTool(tool, { score, detail, confirm }), ...(words && { explain: words }) }]
    })
    return fit(tools, query, { total: found.total, filtered, visible: visible.size, quarantined })
  }

  /** A tool by `server:tool`, if the caller may use it. */
  get(caller: Caller, id: string): CatalogTool | undefined {
    return this.#visibleTo(caller).tools.get(id)
  }

  /** What the caller may have meant with an id that does not exist, out of what it may use. */
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
      tools.filter(tool => isVisible(tool, caller)).map(tool => [idOf(tool), tool] as const),
    )
    const held = [...this.#servers].flatMap(server => this.#catalog.held(server))
    const visible = {
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
    this.#index.replaceServer(server, tools.map(toDocument))
  }
}

function toDocument(tool: CatalogTool) {
  const { server, name, definition, assessment } = tool
  return {
    id: idOf(tool),
    server,
    name,
    title: assessment.title,
    description: typeof definition.description === 'string' ? definition.description : '',
    inputSchema: definition.inputSchema,
    domains: assessment.effective.serviceDomains.value,
    tags: assessment.declared.tags ?? [],
  }
}

function fit(tools: readonly ToolView[], query: Query, counts: Omit<Counts, 'shown' | 'found'>): Found {
  const { total, filtered, quarantined } = counts
  const hidden = { ...(quarantined > 0 && { quarantined }), ...(filtered > 0 && { filtered }) }
  const rest = { total, query: query.query, ...(filtered + quarantined > 0 && { hidden }) }
  const count =
    query.max_tokens === undefined ? tools.length : fitItems(tools, rest, query.max_tokens - RESERVED_TOKENS)
  const hint = explainFew({ ...counts, shown: count, found: tools.length })
  return { tools: tools.slice(0, count), ...rest, ...(hint === undefined ? {} : { hint }) }
}
