import { createHash } from 'node:crypto'
import type { Override, Profile, ToolDefinition } from '@hintgate/metadata'
import { writeJson } from '../protocol/parse-json.ts'
import type { Passage } from '../upstream/attempt.ts'
import type { Objection } from '../upstream/channel/channel.ts'
import type { UpstreamServer } from '../upstream/upstream-server.ts'
import { ConnectionCheck } from './connection-check.ts'
import { KnownNames, NOT_ASCII } from './find-shadowing.ts'
import { isNamed, listDefinitions, TOOLS } from './list-definitions.ts'
import { mapPolitely } from './map-politely.ts'
import { Pace } from './pace.ts'
import type { Named, Pins } from './pins.ts'
import { type HeldTool, isOfferable, sortOut, sortTools } from './sort-tools.ts'
import type { CatalogTool } from './to-catalog-tool.ts'

export type { HeldTool } from './sort-tools.ts'
export type { CatalogTool } from './to-catalog-tool.ts'

export interface CatalogOptions {
  readonly profile: Profile
  readonly isQuarantined: boolean
  /** The names of all servers there are to be, listed or not. */
  readonly serverNames: readonly string[]
  readonly overrideOf: (server: string, tool: string) => Override | undefined
}

export interface CatalogDeps {
  readonly pins: Pins
  /** Judging what a server said failed. It concerns nobody else: the server counts as one that did not say. */
  readonly onError: (error: unknown, server: string) => void
  /** So many of the tools that a server lists now have no name by which they could be used. */
  readonly onNameless: (server: string, count: number) => void
}

interface Listing {
  readonly server: UpstreamServer
  /** Which start of the server this is from: the next may say something else. */
  readonly start: number
  readonly definitions: readonly ToolDefinition[]
  readonly tools: ReadonlyMap<string, CatalogTool>
  readonly held: ReadonlyMap<string, HeldTool>
  /** Of what the server said: who repeats itself need not be judged again. */
  readonly saidDigest: string
  /** What came of it all, to tell a change from a repetition. */
  readonly digest: string
}

type Heard = Pick<Listing, 'server' | 'start' | 'definitions' | 'saidDigest'>

export interface CatalogChange {
  readonly server: string
  /** The server's tools were not known before: news to who sees all servers, not to who asked for this one. */
  readonly isFirst: boolean
}

/** What tools exist, server by server. Lists are fetched once and kept until the server says they changed. */
export class Catalog {
  #options: CatalogOptions
  readonly #deps: CatalogDeps
  readonly #pins: Pins
  readonly #listings = new Map<string, Listing>()
  readonly #loading = new Map<string, Promise<void>>()
  readonly #turns = new Map<string, Promise<void>>()
  readonly #pace = new Pace()
  /** Servers that were asked for their tools and did not say. */
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

  /**
   * Whether nothing of a server is approved that should be; of one that has to wait, as long as its tools are not known.
   * Who has none may have said so to be heard: of it, something else has to be approved.
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

  /** Whether they are known since the server started last; who starts anew may be somebody else. */
  isVerified(server: UpstreamServer): boolean {
    return this.#listings.get(server.name)?.start === server.starts
  }

  /** Whether somebody who asks now may hope for an answer: nobody was disappointed yet. */
  isExpected(server: string): boolean {
    return !this.#listings.has(server) && !this.#unlisted.has(server)
  }

  /** Resolves when the server's tools are known as of its last start, or cannot be known for now. Never rejects. */
  ensure(server: UpstreamServer): Promise<void> | undefined {
    if (this.isVerified(server)) return undefined
    const running = this.#loading.get(server.name)
    // A list that was asked for before the server started anew says nothing about it now.
    return running === undefined ? this.#start(server) : running.then(() => this.#ensureAgain(server))
  }

  /** The server says that its tools changed. However often it says so, it is asked in peace. */
  refresh(server: UpstreamServer): void {
    const { name } = server
    this.#connections.noteChange(name)
    if (this.#pace.isResting(name) || this.#loading.has(name)) this.#pace.postpone(name)
    else void this.#start(server)
  }

  /** Why a tool must not be called the way that the call would go now. Most need no look. */
  objectTo(server: UpstreamServer, tool: string, { connection, isShared }: Passage): Objection {
    if (isShared && this.isVerified(server)) return undefined
    const approved = this.find(server.name, tool)?.fingerprint
    // Where nothing has to wait, only what was rejected is not to run.
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

  /** How long it took to judge what the server said, in milliseconds. */
  async #load(server: UpstreamServer): Promise<number> {
    // A server that starts anew while it is asked is to be asked again: its pages may not belong together.
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
    const saidDigest = await digestPolitely(definitions)
    await this.#inTurn(server.name, () => this.#hear({ server, start, definitions, saidDigest }))
    return performance.now() - startedAt
  }

  async #hear(heard: Heard): Promise<void> {
    const { name } = heard.server
    const before = this.#listings.get(name)
    const isRepeated = before?.server === heard.server && before.saidDigest === heard.saidDigest
    if (isRepeated && this.#pins.isSure(name)) this.#listings.set(name, { ...before, start: heard.start })
    else await this.#judge(heard)
  }

  /** Judges once more what is known by then, which may be news since this was asked for. Never rejects. */
  #judgeKnown(name: string): Promise<void> {
    const judging = this.#inTurn(name, async () => {
      const listing = this.#listings.get(name)
      if (listing !== undefined) await this.#judge(listing)
    })
    return judging.catch((error: unknown) => this.#deps.onError(error, name))
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

  async #judge(heard: Heard): Promise<void> {
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
    // The same tools stay the same objects: others keep what they made of them.
    this.#listings.set(server.name, isSame ? { ...before, ...listing, tools: before.tools } : listing)
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
async function digestOf(tools: Listing['tools'], held: Listing['held']): Promise<string> {
  const judged = [...tools.values()].map(({ fingerprint, shown, assessment }) => {
    return [fingerprint, shown, assessment.effective]
  })
  return `${await digestPolitely(judged)} ${await digestPolitely([...held.values()])}`
}

/** Of a list that may be long. JSON has no line breaks, so that no two lists look the same. */
async function digestPolitely(items: readonly unknown[]): Promise<string> {
  const digest = createHash('sha256')
  await mapPolitely(items, item => digest.update(`${writeJson(item)}\n`))
  return digest.digest('base64')
}
