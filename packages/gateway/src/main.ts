import { readFileSync } from 'node:fs'
import { viewRisk } from '@hintgate/metadata'
import type { AdminDeps, ConfigPlace } from './admin/http/admin-deps.ts'
import { LongWork } from './admission/long-work.ts'
import { HintgateError } from './base/errors.ts'
import { type Explanation, explainCall, explainRequest } from './call/explain-call.ts'
import { Catalog, type CatalogOptions } from './catalog/catalog.ts'
import { OtherDefinitions } from './catalog/other-definitions.ts'
import { Overrides } from './catalog/overrides.ts'
import { Pins } from './catalog/pins.ts'
import { pagesNamedBy } from './catalog/read-page.ts'
import type { Config } from './config/config.ts'
import { ApprovalEvents } from './events/approval-events.ts'
import { CallEvents } from './events/call-events.ts'
import { alertContradictions, announceCatalog } from './events/catalog-events.ts'
import { EventHub } from './events/event-hub.ts'
import type { IncomingCall } from './exchange/incoming-call.ts'
import type { Surface } from './exchange/surface.ts'
import { HttpTransport } from './inbound/http/http-transport.ts'
import { type StdioDeps, StdioTransport } from './inbound/stdio/stdio.ts'
import { DirectSurface } from './inbound/surfaces/direct-surface.ts'
import { EVERY_SERVER } from './inbound/surfaces/front/view.ts'
import { addressAt } from './inbound/surfaces/front-of-servers.ts'
import { SearchSurface } from './inbound/surfaces/search/search-surface.ts'
import { ServerSurface } from './inbound/surfaces/server-surface.ts'
import { withTasks } from './inbound/surfaces/with-tasks.ts'
import type { Notifier } from './notify/notifier.ts'
import type { Thing } from './policy/facts/request-facts.ts'
import type { Rules } from './policy/rules.ts'
import { checkSharedKey, createStamps, NO_STAMPS } from './replicas/stamps.ts'
import { mayUseEndpoint, mayUseServer } from './scope/match-scope.ts'
import { hasExpired, isLocal, type Principal, type Scope } from './scope/scope.ts'
import { Embedder } from './search/meaning/embedder.ts'
import { findModel } from './search/meaning/load-model.ts'
import { Meanings } from './search/meaning/meanings.ts'
import { ToolFinder } from './search/tool-finder.ts'
import type { StoredApproval } from './store/approval-store.ts'
import type { Store } from './store/store.ts'
import { CallTally } from './telemetry/call-tally.ts'
import { gatherMeasures } from './telemetry/gather-measures.ts'
import type { LogFacts } from './telemetry/log.ts'
import type { Distribution, Measure } from './telemetry/measure.ts'
import { OperatorLines } from './telemetry/operator-lines.ts'
import { QuestionTally } from './telemetry/question-tally.ts'
import type { CallObserver } from './telemetry/start-telemetry.ts'
import { isForeign } from './tokens/oauth/issuers.ts'
import { isRefusal, type Tokens } from './tokens/tokens.ts'
import { createFronts, type Fronts } from './wiring/create-fronts.ts'
import { guardSurface } from './wiring/guard-surface.ts'
import { MountedServers } from './wiring/mounted-servers.ts'
import { MountedSets } from './wiring/mounted-sets.ts'
import { type Corridor, wireCorridor } from './wiring/wire-corridor.ts'
import { wireNotifier } from './wiring/wire-notifier.ts'

export interface GatewayDeps {
  readonly config: Config
  readonly rules: Rules
  /** The key from which all other secrets are derived. */
  readonly key: Buffer
  readonly store: Store
  readonly tokens: Tokens
  /** Logs one line for the operator. */
  say(line: string, facts?: LogFacts): void
  /** Observes calls for telemetry. Undefined if telemetry is off; `/metrics` works anyway. */
  readonly onlooker?: CallObserver
  /** The location of the config. Undefined if the gateway cannot change the config. */
  readonly place?: Omit<ConfigPlace, 'reload'>
  /** Reads the config and its policies again. */
  readonly load?: () => Promise<Pick<GatewayDeps, 'config' | 'rules'>>
}

const SERVER_PREFIX = '/mcp/servers/'
const SET_PREFIX = '/mcp/sets/'
const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
/** Approvals and sessions stay visible for this long after they have ended. */
const KEEP_MS = 7 * 24 * 60 * 60_000
/** Open connections are rechecked at this interval, because OAuth issuers do not announce that they withdrew a key. */
const RECHECK_MS = 10 * 60_000
const SERVER_INFO = { name: 'hintgate', version: VERSION }

/** Returns the toolset of a path; undefined for every other endpoint. */
function setOf(path: string): string | undefined {
  return path.startsWith(SET_PREFIX) ? path.slice(SET_PREFIX.length) : undefined
}

/** Errors in a recheck that end a stdio client's connection. */
const ENDS: ReadonlySet<string> = new Set(['token_unknown', 'token_expired'])

interface StdioClient extends Pick<StdioDeps, 'input' | 'output' | 'principal'> {
  /** Returns the principal according to the current config. Rejects if the token was revoked or has expired. */
  findAgain(config: Config): Promise<Principal>
}

/** The gateway. Creates its concrete parts and connects them. */
export class Gateway {
  readonly #deps: GatewayDeps
  readonly #catalog: Catalog
  readonly #others: OtherDefinitions
  readonly #fronts: Fronts
  readonly #overrides: Overrides
  readonly #search: Surface
  readonly #direct: Surface
  readonly #corridor: Corridor
  readonly #transport: HttpTransport
  readonly #servers: MountedServers
  readonly #sets: MountedSets
  readonly #hub = new EventHub(Date.now)
  readonly #tally = new CallTally()
  readonly #questions = new QuestionTally(Date.now)
  readonly #callEvents = new CallEvents(this.#hub, Date.now)
  readonly #approvalEvents: ApprovalEvents
  readonly #notifier: Notifier
  readonly #lines: OperatorLines
  readonly #stopWatching: () => void
  readonly #rechecking: NodeJS.Timeout
  /** The assessment of definitions that is under way. The store must stay open until it ends. */
  #judging: Promise<unknown> = Promise.resolve()
  #config: Config
  #rules: Rules
  #embedder: Embedder | undefined
  #isListening = false
  /** The URL at which the gateway listens; empty until it does. */
  #url = ''
  #stdio: StdioTransport | undefined
  #recheckStdio: (() => Promise<void>) | undefined

  constructor(deps: GatewayDeps) {
    this.#deps = deps
    this.#lines = new OperatorLines((line, facts) => deps.say(line, facts))
    const { config, store, tokens } = deps
    this.#config = config
    this.#rules = deps.rules
    this.#overrides = new Overrides(store.overrides)
    this.#approvalEvents = new ApprovalEvents(this.#hub, store.approvals, decided =>
      this.#questions.answered(decided),
    )
    const pins = this.#createPins()
    this.#catalog = new Catalog(this.#catalogOptions(), {
      pins,
      onError: this.#lines.unjudged,
      onNameless: (server, count) => this.#lines.leftOut(server, count),
    })
    announceCatalog(this.#catalog, this.#hub)
    alertContradictions(this.#catalog, this.#hub)
    this.#catalog.onChange(({ server }) => {
      this.#lines.held(server, this.#catalog.held(server).length)
      const found = this.#servers.find(server)
      this.#lines.unheard(server, found, this.#catalog)
      if (found !== undefined) this.#others.lookAtPages(found)
    })
    this.#others = new OtherDefinitions(
      pins,
      () => this.#config.quarantine,
      server => pagesNamedBy(this.#catalog, server),
    )
    const longWork = new LongWork()
    this.#corridor = wireCorridor({
      store,
      key: deps.key,
      catalog: this.#catalog,
      config: () => this.#config,
      rules: () => this.#rules,
      longWork,
      scopeNow: principal => this.#scopeNow(principal),
      isAsBefore: principal =>
        isLocal(principal) ? principal === this.#localNow(principal) : tokens.isAsBefore(principal),
      isForeign: ({ credential }) => isForeign(credential),
      findServer: name => this.#servers.find(name),
      findSet: name => this.#sets.find(name),
      onAsked: approval => this.#tellAsked(approval),
      onRiskFactors: ({ session, principal }, riskFactors) =>
        this.#hub.emit('session.risk_factor', { session, principal, ...viewRisk(riskFactors) }),
      onError: this.#lines.fault,
      onlooker: {
        ...(deps.onlooker?.watch && { watch: deps.onlooker.watch }),
        onOutcome: entry => {
          this.#tally.count(entry)
          this.#callEvents.note(entry)
          deps.onlooker?.onOutcome(entry)
        },
      },
    })
    const { notifier, door, subscribers } = wireNotifier({
      store,
      key: deps.key,
      approvals: this.#corridor.approvals,
      config: () => this.#config,
      url: () => this.#url,
      ...this.#lines,
    })
    this.#notifier = notifier
    this.#fronts = createFronts({
      corridor: this.#corridor,
      key: deps.key,
      others: this.#others,
      servers: () => this.#servers,
      serverInfo: SERVER_INFO,
    })
    this.#servers = this.#createServers()
    const shared = {
      ...this.#corridor,
      front: this.#fronts.create(EVERY_SERVER),
      servers: () => this.#servers.all,
      serverInfo: SERVER_INFO,
      confirmRules: () => this.#config.confirm,
      longWork,
    }
    if (config.search.semantic)
      this.#embedder = new Embedder(findModel([config.search.folder]), this.#lines.fault)
    const meanings = this.#embedder && new Meanings(this.#embedder, this.#lines.compared)
    const finder = new ToolFinder(this.#catalog, { meanings })
    const search = new SearchSurface({
      ...shared,
      finder,
      batchReads: config.limits.batchReads,
    })
    const { tasks } = this.#corridor
    const address = addressAt(shared.front)
    this.#search = guardSurface(withTasks(search, tasks, address), this.#lines.fault)
    this.#direct = guardSurface(withTasks(new DirectSurface(shared), tasks, address), this.#lines.fault)
    this.#sets = new MountedSets({
      catalog: this.#catalog,
      servers: () => this.#servers.all.map(({ name }) => name),
      surface: { ...shared, batchReads: config.limits.batchReads },
      createFront: view => this.#fronts.create(view),
      wrap: (surface, front) => withTasks(surface, tasks, addressAt(front)),
      onUnmounted: surface => this.#transport.endAt(surface),
      onError: this.#lines.fault,
    })
    this.#transport = new HttpTransport({
      config,
      oauth: () => this.#config.oauth,
      tokens,
      stamps: config.advertise === undefined ? NO_STAMPS : createStamps(config.advertise, deps.key),
      findSurface: (path, principal) => this.findSurface(path, principal),
      onError: this.#lines.fault,
      answers: door,
      finishSignIn: comeback => this.#servers.finishSignIn(comeback),
      admin: this.#createAdmin(finder, subscribers),
      longWork,
      ...(deps.onlooker?.adoptTrace && { adoptTrace: deps.onlooker.adoptTrace }),
      isReady: () => this.#servers.all.every(({ state }) => state !== 'starting'),
    })
    this.#rechecking = setInterval(() => {
      if (this.#config.oauth !== undefined) this.#recheck()
    }, RECHECK_MS).unref()
    this.#stopWatching = store.onChange(() => {
      this.#recheck()
      this.#corridor.sessions.forget()
      this.#approvalEvents.look().catch(this.#lines.fault)
      this.#notifier.look()
      this.#servers.lookForCredentials().catch(this.#lines.fault)
      this.#judgeAnew(false)
    })
  }

  /**
   * Starts the gateway. It listens before the servers have started, so that clients get an answer even if a server is
   * slow.
   */
  async start(): Promise<string> {
    await this.#sweep()
    const url = await this.#transport.listen()
    this.#url = url
    this.#isListening = true
    this.apply(this.#deps)
    this.#corridor.tasks.start()
    return url
  }

  /** Applies a new config. Servers whose settings changed are restarted; the others keep running. */
  apply({ config, rules }: Pick<GatewayDeps, 'config' | 'rules'>): void {
    this.#config = config
    this.#rules = rules
    this.#deps.tokens.configure(config)
    this.#servers.apply(config.servers)
    this.#sets.apply(config.toolsets)
    this.#notifier.configure(config.notify)
    this.#judgeAnew(true)
    this.#lines.waiting(config, this.#deps.config)
    this.#recheck()
  }

  findSurface(path: string, principal: Principal): Surface | undefined {
    const set = setOf(path)
    // For a caller whose scope names toolsets, every other endpoint is unknown.
    if (!mayUseEndpoint(principal.scope, set)) return undefined
    if (set !== undefined) return this.#sets.surfaceOf(set)
    if (path === '/mcp') return this.#search
    if (path === '/mcp/direct') return this.#direct
    if (!path.startsWith(SERVER_PREFIX)) return undefined
    const name = path.slice(SERVER_PREFIX.length)
    return mayUseServer(principal.scope, name) ? this.#servers.surfaceOf(name) : undefined
  }

  /** Returns a principal's current scope. Clients over stdio and local commands have no token to look up. */
  async #scopeNow(principal: Principal): Promise<Scope | undefined> {
    if (isLocal(principal)) return this.#localNow(principal)?.scope
    const now = await this.#deps.tokens.recheck(principal)
    return isRefusal(now) ? undefined : now.scope
  }

  #localNow(principal: Principal): Principal | undefined {
    const now = this.#stdio?.principal ?? principal
    return hasExpired(now, Date.now()) ? undefined : now
  }

  /** Explains the verdict on a call, or on a request for a resource or a prompt, without making it. */
  explain(call: IncomingCall, kind?: Thing['kind']): Promise<Explanation> {
    return kind === undefined ? explainCall(call, this.#corridor) : explainRequest(call, kind, this.#corridor)
  }

  /** Serves one client over stdio until the client disconnects or loses its access. Does not listen on any port. */
  async serveStdio(client: StdioClient, path: string): Promise<void> {
    const server = path.startsWith(SERVER_PREFIX) ? path.slice(SERVER_PREFIX.length) : undefined
    // An unknown server is refused before anything starts.
    if (server !== undefined && !this.#config.servers.some(({ name }) => name === server))
      throw new HintgateError('unknown_server', { server })
    const set = setOf(path)
    if (set !== undefined && !this.#config.toolsets.some(({ name }) => name === set))
      throw new HintgateError('unknown_toolset', { set })
    await this.#sweep()
    this.apply(this.#deps)
    const surface = this.findSurface(path, client.principal)
    if (surface === undefined && set !== undefined) throw new HintgateError('unknown_toolset', { set })
    if (surface === undefined) throw new HintgateError('unknown_server', { server: server ?? path })
    const transport = new StdioTransport({ ...client, surface, limits: this.#deps.config.limits })
    this.#stdio = transport
    this.#corridor.tasks.start()
    this.#recheckStdio = () =>
      this.#admitAgain(transport, client, now => this.findSurface(path, now) === surface)
    await transport.serve()
    this.#recheckStdio = undefined
    await transport.drain(this.#deps.config.drainMs)
    transport.close()
  }

  async #admitAgain(
    transport: StdioTransport,
    client: StdioClient,
    mayStay: (principal: Principal) => boolean,
  ): Promise<void> {
    const principal = await client.findAgain(this.#config).catch((error: unknown) => {
      // Other errors, such as a failing store, must not end the client's connection.
      if (!(error instanceof HintgateError) || !ENDS.has(error.code)) throw error
      this.#lines.left(error.message)
      return undefined
    })
    const stays = principal !== undefined && mayStay(principal)
    if (principal !== undefined && !stays) this.#lines.left('its endpoint is gone, or its token excludes it')
    transport.admit(stays ? principal : undefined)
  }

  async close(): Promise<void> {
    this.#stopWatching()
    clearInterval(this.#rechecking)
    if (this.#isListening) await this.#transport.close(this.#deps.config.drainMs)
    await this.#corridor.tasks.close(this.#deps.config.drainMs)
    await this.#notifier.close()
    await this.#servers.stop()
    await this.#judging
    await this.#corridor.searcher.close()
    await this.#embedder?.close()
    await this.#corridor.audit.close()
  }

  /** Ends the open calls of crashed processes in the audit log, and removes expired data. */
  async #sweep(): Promise<void> {
    await checkSharedKey(this.#deps.store, this.#deps.key, Date.now())
    this.#lines.ended(await this.#corridor.audit.start())
    const { results, approvals, sessions, passages, notifications, tasks } = this.#deps.store
    const now = Date.now()
    await results.removeExpired(now)
    await approvals.removeBefore(now - KEEP_MS)
    await sessions.removeBefore(now - KEEP_MS)
    await passages.removeBefore(now - KEEP_MS)
    await notifications.removeBefore(now - KEEP_MS)
    await tasks.removeExpired(now)
  }

  /** Rechecks open connections. If the store fails, that is logged and does not stop the gateway. */
  #recheck(): void {
    this.#transport.recheck().catch(this.#lines.fault)
    this.#recheckStdio?.().catch(this.#lines.fault)
  }

  /** Returns the current values of all metrics. */
  measures(): (Measure | Distribution)[] {
    return [
      ...this.#tally.measures(),
      ...this.#questions.measures(),
      ...this.#corridor.recorder.measures(),
      ...gatherMeasures({
        hub: this.#hub,
        catalog: this.#catalog,
        servers: () => this.#servers.all,
        channels: () => this.#notifier.measures(),
      }),
      ...(this.#deps.onlooker?.measures() ?? []),
    ]
  }

  async #createMetrics() {
    const { createMetrics } = await import('./admin/metrics.ts')
    return createMetrics(this.measures())
  }

  #createPins(): Pins {
    return new Pins({ store: this.#deps.store.definitions, now: Date.now, onError: this.#lines.fault })
  }

  #catalogOptions(): CatalogOptions {
    const { profile, quarantine } = this.#config
    const { overrides } = this.#config
    return {
      profile,
      isQuarantined: quarantine,
      serverNames: this.#config.servers.map(({ name }) => name),
      overrideOf: (server, tool) => this.#overrides.find(server, tool, overrides),
    }
  }

  /**
   * Assesses definitions again after an operator changed the config, an override or a review, possibly at another
   * replica.
   */
  #judgeAnew(isAllNew: boolean): void {
    this.#others.forget()
    this.#judging = this.#judging
      .then(() => this.#overrides.load())
      .then(isNew => this.#catalog.judgeAnew(this.#catalogOptions(), isAllNew || isNew))
      .catch(this.#lines.fault)
  }

  #tellAsked(approval: StoredApproval): void {
    // A repeated call uses the same approval, but an approval is announced only once, right after it was created.
    if (Date.now() - approval.createdAt > 1000) return
    this.#lines.asked(approval)
    this.#approvalEvents.asked(approval)
    this.#questions.asked(approval)
    this.#notifier.asked(approval)
  }

  /** Creates the dependencies of the admin API. */
  #createAdmin(finder: ToolFinder, push: AdminDeps['push']): AdminDeps {
    const { store, key, tokens, place } = this.#deps
    return {
      hub: this.#hub,
      push,
      metrics: () => this.#createMetrics(),
      version: VERSION,
      store,
      key,
      tokens,
      catalog: this.#catalog,
      finder,
      overrides: this.#overrides,
      approvals: this.#corridor.approvals,
      config: () => this.#config,
      rules: () => this.#rules,
      servers: () => this.#servers.all,
      sets: () => this.#sets.all,
      settled: () => this.#judging,
      stderrOf: name => this.#servers.stderrOf(name),
      explain: (call, rules = this.#rules) => explainCall(call, { ...this.#corridor, rules: () => rules }),
      restart: name => this.#servers.restart(name),
      signIn: name => this.#servers.beginSignIn(name),
      place: { folder: process.cwd(), ...place, reload: () => this.#reload() },
      onError: this.#lines.fault,
    }
  }

  async #reload(): Promise<void> {
    const loaded = await this.#deps.load?.()
    if (loaded !== undefined) this.apply(loaded)
  }

  #createServers(): MountedServers {
    const { store, key, config } = this.#deps
    return new MountedServers({
      store,
      key,
      config: () => this.#config,
      limits: config.limits,
      catalog: this.#catalog,
      clientInfo: SERVER_INFO,
      createSurface: server => {
        const deps = { ...this.#corridor, others: this.#others }
        const own = new ServerSurface(server, deps, (name, news) => this.#fronts.announce(name, news))
        const surface = guardSurface(withTasks(own, this.#corridor.tasks), this.#lines.fault)
        return { surface, close: () => own.close() }
      },
      onUnmounted: surface => this.#transport.endAt(surface),
      onReady: (server, handshake) => {
        this.#lines.ready(server, handshake)
        const { era, protocolVersion } = handshake
        this.#hub.emit('server.ready', { server, era, protocolVersion })
      },
      onDown: (server, failure) => {
        this.#lines.down(server, failure)
        this.#hub.emit('server.down', { server, detail: failure.detail })
      },
      onError: this.#lines.fault,
    })
  }
}
