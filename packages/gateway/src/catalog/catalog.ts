import { createHash } from 'node:crypto'
import type { Override, Profile, ToolDefinition } from '@hintgate/metadata'
import { writeJson } from '../protocol/parse-json.ts'
import type { Route } from '../upstream/attempt.ts'
import type { Objection } from '../upstream/channel/channel.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { ConnectionCheck } from './connection-check.ts'
import { KnownNames, NOT_ASCII } from './find-shadowing.ts'
import { isNamed, listDefinitions, TOOLS } from './list-definitions.ts'
import { mapInSlices } from './map-in-slices.ts'
import { Pace } from './pace.ts'
import type { Named, Pins } from './pins.ts'
import { type HeldTool, isOfferable, sortOut, sortTools } from './sort-tools.ts'
import type { CatalogTool } from './to-catalog-tool.ts'

export type { HeldTool } from './sort-tools.ts'
export type { CatalogTool } from './to-catalog-tool.ts'

export interface CatalogOptions {
  readonly profile: Profile
  readonly isQuarantined: boolean
  /** The names of all configured servers, whether or not their tools have been listed. */
  readonly serverNames: readonly string[]
  readonly overrideOf: (server: string, tool: string) => Override | undefined
}

export interface CatalogDeps {
  readonly pins: Pins
  /** Called when judging a server's list failed. That server counts as not listed; other servers are not affected. */
  readonly onError: (error: unknown, server: string) => void
  /** Called with the number of tools in the current list that have no usable name. */
  readonly onNameless: (server: string, count: number) => void
}

interface Listing {
  readonly server: UpstreamServer
  /** How often the server had started when it sent this list. After a restart, the list can differ. */
  readonly start: number
  readonly definitions: readonly ToolDefinition[]
  readonly tools: ReadonlyMap<string, CatalogTool>
  readonly held: ReadonlyMap<string, HeldTool>
  /** The digest of the server's list, so that an unchanged list is not judged again. */
  readonly saidDigest: string
  /** The digest of the judged list, which shows whether the list has changed. */
  readonly digest: string
}

type ListedAt = Pick<Listing, 'server' | 'start' | 'definitions' | 'saidDigest'>

export interface CatalogChange {
  readonly server: string
  /**
   * True if the server's tools were not known before. This is a change for callers that see all servers, but not for
   * the caller that requested this list.
   */
  readonly isFirst: boolean
}

/** The tools of each server. A server's list is fetched once and kept until the server announces a change. */
export class Catalog {
  #options: CatalogOptions
  readonly #deps: CatalogDeps
  readonly #pins: Pins
  readonly #listings = new Map<string, Listing>()
  readonly #loading = new Map<string, Promise<void>>()
  readonly #turns = new Map<string, Promise<void>>()
  readonly #pace = new Pace()
  /** Servers that did not answer when asked for their tools. */
  readonly #unlisted = new Set<string>()
  readonly #listeners = new Set<(change: CatalogChange) => void>()
  readonly #connections = new ConnectionCheck()

  constructor(options: CatalogOptions, deps: CatalogDeps) {
    this.#options = options
    this.#deps = deps
    this.#pins = deps.pins
  }

  onChange(listener: (change: CatalogChange) => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  /**
   * Judges tools again: those of servers about which an operator has decided, or all tools after a change of the config
   * or the overrides.
   */
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

  /**
   * True if none of a quarantined server's definitions is approved, or if its tools are not known yet. A server without
   * tools is held until one of its other definitions is approved, because it could list no tools just to show agents
   * its other texts.
   */
  isWhollyHeld({ name, config }: UpstreamServer): boolean {
    const listing = this.#listings.get(name)
    const hasToWait = this.#options.isQuarantined && config.trust !== 'trusted'
    if (listing === undefined) return hasToWait
    if (listing.tools.size > 0) return false
    return listing.held.size > 0 || (hasToWait && !this.#pins.approvesBeside(name))
  }

  isKnown(server: string): boolean {
    return this.#listings.has(server)
  }

  /** True if the list is from the server's current start. After a restart, the list can differ. */
  isVerified(server: UpstreamServer): boolean {
    return this.#listings.get(server.name)?.start === server.starts
  }

  /** True if a list is likely to arrive, because no request for it has failed yet. */
  isExpected(server: string): boolean {
    return !this.#listings.has(server) && !this.#unlisted.has(server)
  }

  /** Resolves when the server's tools are known for its current start, or cannot be known for now. Never rejects. */
  ensure(server: UpstreamServer): Promise<void> | undefined {
    if (this.isVerified(server)) return undefined
    const running = this.#loading.get(server.name)
    // A list that was requested before a restart does not count.
    return running === undefined ? this.#start(server) : running.then(() => this.#ensureAgain(server))
  }

  /** Lists the tools again after the server announced a change. Frequent announcements are throttled. */
  refresh(server: UpstreamServer): void {
    const { name } = server
    this.#connections.noteChange(name)
    if (this.#pace.isResting(name) || this.#loading.has(name)) this.#pace.postpone(name)
    else void this.#start(server)
  }

  /** Returns the reason why a call to a tool must not be sent on this connection. Most calls need no check. */
  objectTo(server: UpstreamServer, tool: string, { connection, isShared }: Route): Objection {
    if (isShared && this.isVerified(server)) return undefined
    const approved = this.find(server.name, tool)?.fingerprint
    // Without quarantine, only rejected versions are blocked.
    const rejected = this.#options.isQuarantined ? undefined : this.#pins.rejectedOf(server.name, tool)
    if (rejected?.size === 0) return undefined
    const mayRun = (print = '') => (rejected === undefined ? print === approved : !rejected.has(print))
    return this.#connections.findObjection(server, connection, { tool, mayRun })
  }

  remove(server: string): void {
    if (this.#listings.delete(server)) this.#announce({ server, isFirst: false })
  }

  #ensureAgain(server: UpstreamServer): Promise<void> | undefined {
    return this.isVerified(server) || this.#loading.has(server.name) ? undefined : this.#start(server)
  }

  #start(server: UpstreamServer): Promise<void> {
    const { name } = server
    let costMs = 0
    const loading = this.#load(server)
      .then(cost => {
        costMs = cost
      })
      .catch((error: unknown) => {
        this.#unlisted.add(name)
        this.#deps.onError(error, name)
      })
      .finally(() => {
        this.#loading.delete(name)
        this.#pace.rest(name, costMs, () => this.refresh(server))
      })
    this.#loading.set(name, loading)
    return loading
  }

  /** Returns how long judging the list took, in milliseconds. */
  async #load(server: UpstreamServer): Promise<number> {
    // If the server restarts during the request, the pages can be from two lists, so the list is requested again.
    const start = server.state === 'ready' ? server.starts : server.starts + 1
    const listed = await listDefinitions(server, TOOLS)
    if (listed === undefined) {
      this.#unlisted.add(server.name)
      return 0
    }
    this.#unlisted.delete(server.name)
    const startedAt = performance.now()
    const named = listed.filter(isNamed)
    this.#deps.onNameless(server.name, listed.length - named.length)
    const definitions = named.filter(tool => isOfferable(tool, server))
    const saidDigest = await digestInSlices(definitions)
    await this.#inTurn(server.name, () => this.#hear({ server, start, definitions, saidDigest }))
    return performance.now() - startedAt
  }

  async #hear(heard: ListedAt): Promise<void> {
    const { name } = heard.server
    const before = this.#listings.get(name)
    const isRepeated = before?.server === heard.server && before.saidDigest === heard.saidDigest
    if (isRepeated && this.#pins.isSure(name)) this.#listings.set(name, { ...before, start: heard.start })
    else await this.#judge(heard)
  }

  /** Judges a server's list again. When its turn comes, the list that is then current is judged. Never rejects. */
  #judgeKnown(name: string): Promise<void> {
    const judging = this.#inTurn(name, async () => {
      const listing = this.#listings.get(name)
      if (listing !== undefined) await this.#judge(listing)
    })
    return judging.catch((error: unknown) => this.#deps.onError(error, name))
  }

  /** Judges one list of a server at a time, so that an older list never replaces a newer one. */
  #inTurn(name: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.#turns.get(name) ?? Promise.resolve()).then(work)
    this.#turns.set(
      name,
      turn.catch(() => {}),
    )
    return turn
  }

  async #judge(heard: ListedAt): Promise<void> {
    const { server, start, definitions, saidDigest } = heard
    const { unique, doubtful } = sortOut(definitions)
    const rules = { trust: server.config.trust, isQuarantined: this.#options.isQuarantined }
    const pinned = await this.#pins.judge(server.name, { kind: 'tool', definitions: unique }, rules)
    const names = this.#namesBeside(server.name, pinned)
    const sorted = await sortTools(server.name, pinned, { ...this.#options, doubtful, names })
    const digest = await digestOf(sorted.tools, sorted.held)
    if (server.state !== 'stopped') this.#keep({ server, start, definitions, saidDigest, digest, ...sorted })
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

  #keep(listing: Listing): void {
    const { server, digest } = listing
    const before = this.#listings.get(server.name)
    const isSame = before?.digest === digest
    // Unchanged tools keep their objects, because other code uses them as keys of caches.
    this.#listings.set(server.name, isSame ? { ...before, ...listing, tools: before.tools } : listing)
    if (isSame) return
    this.#announce({ server: server.name, isFirst: before === undefined })
    this.#judgeDisguises(server.name)
  }

  /** Judges other servers' tools with unusual names again, because they can resemble a name that is new. */
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

/** Returns the digest of everything that callers see and that verdicts depend on. */
async function digestOf(tools: Listing['tools'], held: Listing['held']): Promise<string> {
  const judged = [...tools.values()].map(({ fingerprint, shown, assessment }) => {
    return [fingerprint, shown, assessment.effective]
  })
  return `${await digestInSlices(judged)} ${await digestInSlices([...held.values()])}`
}

/**
 * Returns the digest of a list that can be long. JSON text contains no line breaks, so two different lists cannot look
 * equal.
 */
async function digestInSlices(items: readonly unknown[]): Promise<string> {
  const digest = createHash('sha256')
  await mapInSlices(items, item => digest.update(`${writeJson(item)}\n`))
  return digest.digest('base64')
}
