import type { Override, Profile, ToolDefinition } from '@hintgate/metadata'
import { writeJson } from '../protocol/parse-json.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { KnownNames, NOT_ASCII } from './find-shadowing.ts'
import type { ReviewState } from './judge-definition.ts'
import { isNamed, listDefinitions, TOOLS } from './list-definitions.ts'
import type { Named, Pinned, Pins } from './pins.ts'
import { isOfferable, sortOut } from './sort-out.ts'
import { type CatalogTool, toCatalogTool } from './to-catalog-tool.ts'

export type { CatalogTool } from './to-catalog-tool.ts'

/** A tool that nobody may see or call until somebody has looked at it. */
export interface HeldTool {
  readonly server: string
  readonly name: string
  readonly fingerprint: string
  readonly state: Exclude<ReviewState, 'approved'>
  /** What is wrong with it, where it is more than news. For operators, never for agents. */
  readonly why?: string
}

export interface CatalogOptions {
  readonly profile: Profile
  readonly isQuarantined: boolean
  /** The names of all servers there are to be, listed or not. */
  readonly serverNames: readonly string[]
  /** What operators said of a tool, whoever they are and wherever they said it. */
  readonly overrideOf: (server: string, tool: string) => Override | undefined
}

interface Listing {
  readonly server: UpstreamServer
  /** Which start of the server this is from: the next may say something else. */
  readonly start: number
  readonly definitions: readonly ToolDefinition[]
  readonly tools: ReadonlyMap<string, CatalogTool>
  readonly held: ReadonlyMap<string, HeldTool>
  /** What came of it all, to tell a change from a repetition. */
  readonly digest: string
}

export interface CatalogChange {
  readonly server: string
  /** The server's tools were not known before: news to who sees all servers, not to who asked for this one. */
  readonly isFirst: boolean
}

/** Between two lists that a server is asked for; it may announce changes as often as it likes. */
const PAUSE_MS = 500

/** What tools exist, server by server. Lists are fetched once and kept until the server says they changed. */
export class Catalog {
  #options: CatalogOptions
  readonly #pins: Pins
  readonly #listings = new Map<string, Listing>()
  readonly #loading = new Map<string, Promise<void>>()
  readonly #turns = new Map<string, Promise<void>>()
  /** Servers that were just asked, and those of them that spoke up since. */
  readonly #isResting = new Set<string>()
  readonly #stale = new Set<string>()
  /** Servers that were asked for their tools and did not say. */
  readonly #unlisted = new Set<string>()
  readonly #listeners = new Set<(change: CatalogChange) => void>()

  constructor(options: CatalogOptions, pins: Pins) {
    this.#options = options
    this.#pins = pins
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /** Judges tools anew where an operator said something of them; all of them where the config or overrides did. */
  async judgeAnew(options: CatalogOptions, isAllNew: boolean): Promise<void> {
    this.#options = options
    for (const name of [...this.#listings.keys()])
      if (isAllNew || (await this.#pins.hasNews(name))) await this.#judgeKnown(name)
  }

  find(server: string, tool: string): CatalogTool | undefined {
    return this.#listings.get(server)?.tools.get(tool)
  }

  findHeld(server: string, tool: string): HeldTool | undefined {
    return this.#listings.get(server)?.held.get(tool)
  }

  tools(server: string): readonly CatalogTool[] {
    return [...(this.#listings.get(server)?.tools.values() ?? [])]
  }

  held(server: string): readonly HeldTool[] {
    return [...(this.#listings.get(server)?.held.values() ?? [])]
  }

  /** Whether the server's tools are known at all. */
  isKnown(server: string): boolean {
    return this.#listings.has(server)
  }

  /** Whether they are known since the server started last; who starts anew may be somebody else. */
  isVerified(server: UpstreamServer): boolean {
    return this.#listings.get(server.name)?.start === server.starts
  }

  /** Whether somebody who asks now may hope for an answer: nobody was disappointed yet. */
  isExpected(server: string): boolean {
    return !this.#listings.has(server) && !this.#unlisted.has(server)
  }

  /** Resolves when the server's tools are known as of its last start, or cannot be known for now. */
  ensure(server: UpstreamServer): Promise<void> | undefined {
    if (this.isVerified(server)) return undefined
    const running = this.#loading.get(server.name)
    // A list that was asked for before the server started anew says nothing about it now.
    return running === undefined ? this.#start(server) : running.then(() => this.#ensureAgain(server))
  }

  /** The server says that its tools changed. However often it says so, it is asked in peace. */
  refresh(server: UpstreamServer): void {
    const { name } = server
    if (this.#isResting.has(name) || this.#loading.has(name)) this.#stale.add(name)
    else void this.#start(server)
  }

  remove(server: string): void {
    if (this.#listings.delete(server)) this.#announce({ server, isFirst: false })
  }

  #ensureAgain(server: UpstreamServer): Promise<void> | undefined {
    return this.isVerified(server) || this.#loading.has(server.name) ? undefined : this.#start(server)
  }

  #start(server: UpstreamServer): Promise<void> {
    const { name } = server
    const loading = this.#load(server).finally(() => {
      this.#loading.delete(name)
      this.#isResting.add(name)
      setTimeout(() => {
        this.#isResting.delete(name)
        if (this.#stale.delete(name)) this.refresh(server)
      }, PAUSE_MS).unref()
    })
    this.#loading.set(name, loading)
    return loading
  }

  async #load(server: UpstreamServer): Promise<void> {
    // A server that starts anew while it is asked is to be asked again: its pages may not belong together.
    const start = server.state === 'ready' ? server.starts : server.starts + 1
    const listed = await listDefinitions(server, TOOLS)
    if (listed === undefined) return void this.#unlisted.add(server.name)
    this.#unlisted.delete(server.name)
    const definitions = listed.filter(isNamed).filter(tool => isOfferable(tool, server))
    await this.#inTurn(server.name, () => this.#judge({ server, start, definitions }))
  }

  /** Judges once more what is known by then, which may be news since this was asked for. */
  #judgeKnown(name: string): Promise<void> {
    return this.#inTurn(name, async () => {
      const listing = this.#listings.get(name)
      if (listing !== undefined) await this.#judge(listing)
    })
  }

  /** One judgement of a server at a time: an older list must never take the place of a newer one. */
  #inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(work)
    this.#turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }

  async #judge({
    server,
    start,
    definitions,
  }: Pick<Listing, 'server' | 'start' | 'definitions'>): Promise<void> {
    const { isQuarantined } = this.#options
    const { unique, doubtful } = sortOut(definitions)
    const rules = { trust: server.config.trust, isQuarantined }
    const pinned = await this.#pins.judge(server.name, { kind: 'tool', definitions: unique }, rules)
    if (server.state === 'stopped') return
    this.#keep({ server, start, definitions, ...this.#sort(server, pinned, doubtful) })
  }

  /** Who may be seen, and who waits. */
  #sort(
    server: UpstreamServer,
    pinned: readonly Pinned[],
    doubtful: ReadonlySet<string>,
  ): Pick<Listing, 'tools' | 'held'> {
    const tools = new Map<string, CatalogTool>()
    const held = new Map<string, HeldTool>()
    const { profile, overrideOf } = this.#options
    const names = this.#namesBeside(server.name, pinned)
    const siblings = pinned.map(({ definition }) => definition as ToolDefinition)
    for (const { name, definition, fingerprint, standing } of pinned) {
      const { state, isVouched } = standing
      const why = doubtful.has(name)
        ? 'the server lists two different tools of this name'
        : names.findShadowing({ server: server.name, name })
      // A person who looked at exactly this may know better than a rule.
      const isCleared = why === undefined || (standing.isSeen === true && !doubtful.has(name))
      if (state === 'approved' && isCleared)
        tools.set(
          name,
          toCatalogTool(server.name, definition as ToolDefinition, {
            fingerprint,
            siblings,
            isVouched,
            profile,
            override: overrideOf(server.name, name),
          }),
        )
      else
        held.set(name, {
          server: server.name,
          name,
          fingerprint,
          state: state === 'approved' ? 'pending' : state,
          ...(why === undefined ? {} : { why }),
        })
    }
    return { tools, held }
  }

  #namesBeside(server: string, own: readonly Named[]): KnownNames {
    const others = [...this.#listings].filter(([name]) => name !== server)
    const foreign = others.flatMap(([name, { tools, held }]) =>
      [...tools.keys(), ...held.keys()].map(tool => ({ server: name, name: tool })),
    )
    return new KnownNames(this.#options.serverNames, [
      ...own.map(({ name }) => ({ server, name })),
      ...foreign,
    ])
  }

  #keep(listing: Omit<Listing, 'digest'>): void {
    const { server, tools, held } = listing
    const before = this.#listings.get(server.name)
    const digest = digestOf(tools, held)
    const isSame = before?.digest === digest
    // The same tools stay the same objects: others keep what they made of them.
    this.#listings.set(
      server.name,
      isSame ? { ...before, ...listing, tools: before.tools, digest } : { ...listing, digest },
    )
    if (isSame) return
    this.#announce({ server: server.name, isFirst: before === undefined })
    this.#judgeDisguises(server.name)
  }

  /** Who came first under a name with odd letters may turn out to look like somebody who comes now. */
  #judgeDisguises(news: string): void {
    for (const listing of [...this.#listings.values()]) {
      const isOdd = [...listing.tools.keys()].some(name => NOT_ASCII.test(name))
      if (isOdd && listing.server.name !== news) void this.#judgeKnown(listing.server.name)
    }
  }

  #announce(change: CatalogChange): void {
    for (const listener of this.#listeners) listener(change)
  }
}

/** Everything that others go by: what callers see, and what verdicts are made of. */
function digestOf(tools: Listing['tools'], held: Listing['held']): string {
  const judged = [...tools.values()].map(({ fingerprint, shown, assessment }) => {
    return [fingerprint, shown, assessment.effective]
  })
  return writeJson([judged, [...held.values()]])
}
