import {
  type Assessment,
  assessTool,
  HINTS,
  type HintValues,
  type Profile,
  SPEC_HINTS,
  type ToolDefinition,
} from '@hintgate/metadata'
import { isJsonObject, type Json } from '../protocol/messages.ts'
import { writeJson } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { findParamHeaders, hasValidParamHeaders, type ParamHeader } from './param-headers.ts'

/** A tool as Hintgate knows it. */
export interface CatalogTool {
  readonly server: string
  readonly name: string
  readonly definition: ToolDefinition
  readonly assessment: Assessment
  /** The definition as callers see it: untouched but for its effective annotations. */
  readonly shown: Json
  /** Arguments that a modern HTTP server wants repeated in headers. */
  readonly paramHeaders: readonly ParamHeader[]
}

export interface CatalogOptions {
  readonly profile: Profile
  readonly overrides: Readonly<Record<string, Readonly<Record<string, HintValues>>>>
}

const MAX_PAGES = 100
const MAX_TOOLS = 10_000
const LIST_TIMEOUT_MS = 30_000

interface Listing {
  readonly tools: ReadonlyMap<string, CatalogTool>
  /** The list as it was sent, to tell a change from a repetition. */
  readonly digest: string
}

export interface CatalogChange {
  readonly server: string
  /** The server's tools were not known before: news to who sees all servers, not to who asked for this one. */
  readonly isFirst: boolean
}

/** What tools exist, server by server. Lists are fetched once and kept until the server says they changed. */
export class Catalog {
  #options: CatalogOptions
  readonly #listings = new Map<string, Listing>()
  readonly #loading = new Map<string, Promise<void>>()
  readonly #stale = new Set<string>()
  /** Servers that were asked for their tools and did not say. */
  readonly #unlisted = new Set<string>()
  readonly #listeners = new Set<(change: CatalogChange) => void>()

  constructor(options: CatalogOptions) {
    this.#options = options
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Judges every tool anew where the operator judges otherwise now. */
  configure(options: CatalogOptions, servers: readonly UpstreamServer[]): void {
    if (JSON.stringify(options) === JSON.stringify(this.#options)) return
    this.#options = options
    for (const server of servers) {
      const listing = this.#listings.get(server.name)
      if (listing !== undefined)
        this.#keep(
          server,
          [...listing.tools.values()].map(tool => tool.definition),
        )
    }
  }

  find(server: string, tool: string): CatalogTool | undefined {
    return this.#listings.get(server)?.tools.get(tool)
  }

  tools(server: string): readonly CatalogTool[] {
    return [...(this.#listings.get(server)?.tools.values() ?? [])]
  }

  /** Whether the server's tools are known at all. */
  isKnown(server: string): boolean {
    return this.#listings.has(server)
  }

  /** Whether somebody who asks now may hope for an answer: nobody was disappointed yet. */
  isExpected(server: string): boolean {
    return !this.#listings.has(server) && !this.#unlisted.has(server)
  }

  /** Resolves when the server's tools are known, or cannot be known for now. */
  ensure(server: UpstreamServer): Promise<void> | undefined {
    return this.#listings.has(server.name) ? undefined : this.refresh(server)
  }

  /** Fetches the list anew. Storms of changes share a fetch: one runs, and one more follows if asked meanwhile. */
  refresh(server: UpstreamServer): Promise<void> {
    const running = this.#loading.get(server.name)
    if (running !== undefined) {
      this.#stale.add(server.name)
      return running
    }
    const loading = this.#load(server).finally(() => {
      this.#loading.delete(server.name)
      if (this.#stale.delete(server.name)) void this.refresh(server)
    })
    this.#loading.set(server.name, loading)
    return loading
  }

  remove(server: string): void {
    if (this.#listings.delete(server)) this.#announce({ server, isFirst: false })
  }

  async #load(server: UpstreamServer): Promise<void> {
    const definitions = await listTools(server)
    if (definitions === undefined) return void this.#unlisted.add(server.name)
    this.#unlisted.delete(server.name)
    const siblings = definitions.filter(isTool).filter(tool => isOfferable(tool, server))
    if (this.#listings.get(server.name)?.digest !== writeJson(siblings)) this.#keep(server, siblings)
  }

  #keep(server: UpstreamServer, siblings: readonly ToolDefinition[]): void {
    const tools = new Map<string, CatalogTool>()
    for (const definition of siblings) {
      // Of two tools with one name nobody could tell which is called: the first stays.
      if (!tools.has(definition.name))
        tools.set(definition.name, this.#toCatalogTool(server, definition, siblings))
    }
    const isFirst = !this.#listings.has(server.name)
    this.#listings.set(server.name, { tools, digest: writeJson(siblings) })
    this.#announce({ server: server.name, isFirst })
  }

  #toCatalogTool(
    server: UpstreamServer,
    definition: ToolDefinition,
    siblings: readonly ToolDefinition[],
  ): CatalogTool {
    const hints = this.#options.overrides[server.name]?.[definition.name]
    const assessment = assessTool(definition, {
      vouched: server.config.trust === 'trusted',
      profile: this.#options.profile,
      siblings,
      ...(hints === undefined ? {} : { override: { hints, by: 'config', at: '' } }),
    })
    return {
      server: server.name,
      name: definition.name,
      definition,
      assessment,
      shown: withEffectiveHints(definition, assessment),
      paramHeaders: findParamHeaders(definition.inputSchema),
    }
  }

  #announce(change: CatalogChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

function isTool(value: unknown): value is ToolDefinition {
  return isJsonObject(value) && typeof value.name === 'string' && value.name !== ''
}

/** A tool whose headers nobody could write right must not be called over modern HTTP. */
function isOfferable(tool: ToolDefinition, { config, handshake }: UpstreamServer): boolean {
  const needsHeaders = config.transport.kind === 'http' && handshake?.era === 'modern'
  return !needsHeaders || hasValidParamHeaders(tool.inputSchema)
}

/** Undefined when the server did not answer; a server without tools answers with none. */
async function listTools(server: UpstreamServer): Promise<readonly unknown[] | undefined> {
  const tools: unknown[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES && tools.length < MAX_TOOLS; page++) {
    const { reply } = server.send({
      method: 'tools/list',
      ...(cursor === undefined ? {} : { params: { cursor } }),
      envelope: server.ownEnvelope,
      timeoutMs: Math.min(LIST_TIMEOUT_MS, server.config.timeoutMs),
      session: '',
    })
    const answer = await reply
    if (answer.kind !== 'answer') return undefined
    const { result } = answer.message
    if (result === undefined)
      return page === 0 && server.handshake?.capabilities.tools === undefined ? [] : undefined
    if (Array.isArray(result.tools)) tools.push(...result.tools)
    cursor = result.nextCursor
    if (typeof cursor !== 'string') break
  }
  return tools.slice(0, MAX_TOOLS)
}

function withEffectiveHints(definition: ToolDefinition, { effective }: Assessment): Json {
  const declared = isJsonObject(definition.annotations) ? definition.annotations : {}
  const hints = Object.fromEntries(SPEC_HINTS.map(hint => [HINTS[hint].wire, effective[hint].value]))
  return { ...definition, annotations: { ...declared, ...hints } }
}
