import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { LongWork } from '../../admission/long-work.ts'
import { HintgateError } from '../../base/errors.ts'
import { Catalog, type CatalogOptions } from '../../catalog/catalog.ts'
import { Overrides } from '../../catalog/overrides.ts'
import { Pins } from '../../catalog/pins.ts'
import type { Config } from '../../config/config.ts'
import { loadConfig } from '../../config/load-config.ts'
import { loadRules } from '../../config/load-rules.ts'
import type { IncomingCall } from '../../exchange/incoming-call.ts'
import type { Outcome } from '../../exchange/outcome.ts'
import type { Rules } from '../../policy/rules.ts'
import { PERMISSIONS, type Principal, type Scope } from '../../scope/scope.ts'
import { openSqliteStore } from '../../store/sqlite/sqlite-store.ts'
import type { Store } from '../../store/store.ts'
import { createTokens, isRefusal, type Tokens } from '../../tokens/tokens.ts'
import { createChannel } from '../../upstream/create-channel.ts'
import { answer, SmallHttpServer } from '../../upstream/test-support/small-http-server.ts'
import { UpstreamServer } from '../../upstream/upstream-server.ts'
import { type Corridor, wireCorridor } from '../../wiring/wire-corridor.ts'
import { handleCall } from '../handle-call.ts'
import { TestExchange } from './test-exchange.ts'
import { type At, watchDeps } from './watch-deps.ts'

type Hints = Readonly<Record<string, boolean>>

const CLOSED: Hints = { openWorldHint: false, sensitiveHint: false, egressHint: false }
const READS: Hints = { ...CLOSED, readOnlyHint: true, destructiveHint: false }
const WRITES: Hints = { ...CLOSED, readOnlyHint: false, destructiveHint: false }

/** The server's tools. An operator has set their hints, so that no test depends on inferred or default ones. */
const TOOLS: Readonly<Record<string, Hints>> = {
  look: READS,
  browse: { ...READS, openWorldHint: true, sensitiveHint: true },
  write: { ...WRITES, openWorldHint: true },
  mail: { ...WRITES, egressHint: true },
  leak: { ...WRITES, openWorldHint: true, sensitiveHint: true, egressHint: true },
  delete: { ...WRITES, destructiveHint: true },
}

const ROWS = { type: 'array', items: { type: 'integer' } }
const INPUT = { type: 'object', properties: { id: { type: 'string' }, rows: ROWS } }
/** Parts of the store that can be down. */
export type Part = 'sessions.find' | 'sessions.save' | 'rates.take' | 'audit.append'

export interface Setting {
  readonly config?: object
  readonly server?: object
  /** The text of a policy file, in YAML. */
  readonly policy?: string
  /** True if the catalog knows the tools before the first call. */
  readonly isListed?: boolean
}

export interface Asking {
  readonly arguments?: unknown
  /** Parameters in addition to the name and the arguments. */
  readonly params?: object
  readonly claim?: IncomingCall['claim']
  readonly scope?: Partial<Scope>
  /** The client's capabilities. */
  readonly capabilities?: object
  /** Functions that run when the call reaches a step. */
  readonly at?: At
}

export interface Walk {
  readonly request: string
  /** The steps that the call took, in order. */
  readonly steps: readonly string[]
  /** Absent if an internal error of the gateway ended the call. */
  readonly outcome?: Outcome
}

/**
 * Everything that a call passes through, in this process: a store in a file, the rules of a config, and a server over
 * HTTP that counts its calls. All parts are real.
 */
export class TestCorridor {
  readonly away = new Set<Part>()
  /** The tools that the server was asked to call. */
  readonly calls: string[] = []
  readonly upstream = new SmallHttpServer()
  definitions: readonly object[] | undefined = Object.keys(TOOLS).map(name => ({ name, inputSchema: INPUT }))
  /** Runs before the server answers a call. */
  onCall: () => unknown = () => {}
  /** Runs when a person is asked for an approval. */
  onAsked: (id: string) => unknown = () => {}
  readonly file: string
  readonly store: Store
  parts!: Corridor
  tokens!: Tokens
  catalog!: Catalog
  server!: UpstreamServer
  rules!: Rules
  #config!: Config
  #usual: object = {}
  readonly #folder = mkdtempSync(join(tmpdir(), 'hintgate-corridor-'))
  readonly #key = randomBytes(32)
  #token = ''

  constructor() {
    this.file = join(this.#folder, 'store.db')
    this.store = this.#failing(openSqliteStore(this.file))
  }

  async start({ config = {}, server = {}, policy, isListed = true }: Setting): Promise<this> {
    await this.upstream.start()
    this.upstream.tools = { '': (id, res) => this.#list(id, res) }
    for (const name of Object.keys(TOOLS)) this.upstream.tools[name] = (id, res) => this.#take(name, id, res)
    const s = { url: this.upstream.url, trust: 'trusted', retry: false, rate: '1000/m', ...server }
    this.#usual = { overrides: { s: TOOLS }, mcpServers: { s }, ...config }
    await this.configure(policy)
    this.#wire()
    if (isListed) await this.catalog.ensure(this.server)
    // The token is created last, because a later change in the store would count as a change since the caller was
    // admitted.
    this.#token = await this.#mint('bot')
    return this
  }

  /** Loads the config with this policy, which then also applies to open calls. */
  async configure(policy?: string): Promise<void> {
    const policies = policy === undefined ? [] : [this.#write('policy.yaml', `rules:\n${policy}`)]
    const config = { ...this.#usual, policies }
    const path = this.#write('hintgate.json', JSON.stringify(config))
    const loaded = loadConfig({ path, env: {}, cwd: this.#folder, homeDir: this.#folder })
    this.#config = loaded.config
    this.rules = await loadRules(loaded)
  }

  /** Returns the usual caller, or a new one with the given scope. */
  caller(scope?: Partial<Scope>): Promise<Principal> {
    return this.#admit(scope)
  }

  /** Restricts the usual caller to this scope. */
  narrow(scope: Scope): void {
    this.tokens.configure({ agentTokens: [{ name: 'bot', scope }] })
  }

  /** Disables a tool, as an operator would. */
  async switchOff(name: string): Promise<void> {
    await this.store.definitions.disable({ server: 's', kind: 'tool', name }, true)
    await this.catalog.judgeAnew(this.#catalogOptions(), true)
  }

  /** Makes a call, and waits for its end. */
  call(tool: string, asking: Asking = {}): Promise<Walk> {
    return this.begin(tool, asking).then(({ ended }) => ended)
  }

  /** Makes a call, and returns it while it is open. */
  async begin(tool: string, asking: Asking = {}): Promise<{ exchange: TestExchange; ended: Promise<Walk> }> {
    const params = {
      name: tool,
      ...('arguments' in asking ? { arguments: asking.arguments } : {}),
      ...asking.params,
    }
    const exchange = new TestExchange(await this.#admit(asking.scope), params, asking.capabilities)
    return { exchange, ended: this.#walk({ exchange, tool, params }, asking) }
  }

  /** Returns a call's rows in the store, after everything is written. Later calls are not recorded. */
  async rowsOf({ request }: Pick<Walk, 'request'>) {
    await this.parts.audit.close()
    const rows = await this.store.audit.find(request)
    return rows.map(({ kind, verdict, outcome, code, body }) => {
      const { attempts } = JSON.parse(body) as { attempts?: number }
      return { kind, verdict, outcome, code, attempts }
    })
  }

  async stop(): Promise<void> {
    this.away.clear()
    await this.parts.tasks.close(0)
    await this.server.stop()
    await this.upstream.stop().catch(() => {})
    await this.parts.searcher.close()
    await this.parts.audit.close()
    await this.store.close()
    rmSync(this.#folder, { recursive: true })
  }

  async #walk(
    { exchange, tool, params }: Pick<IncomingCall, 'tool' | 'params'> & { exchange: TestExchange },
    { claim, at = {} }: Asking,
  ): Promise<Walk> {
    const steps: string[] = []
    const deps = watchDeps(this.parts, steps, at)
    const call = { exchange, server: 's', tool, typed: `s:${tool}`, params, ...(claim && { claim }) }
    const { requestId: request } = exchange
    return handleCall(call, deps).then(
      outcome => ({ request, steps, outcome }),
      () => ({ request, steps }),
    )
  }

  /** Admits the usual caller, whose scope includes everything, or a new caller with the given scope. */
  async #admit(scope?: Partial<Scope>): Promise<Principal> {
    const token = scope === undefined ? this.#token : await this.#mint('other', scope)
    const principal = await this.tokens.authenticate(token)
    if (isRefusal(principal)) throw new Error(principal.code)
    return principal
  }

  async #mint(name: string, scope: Partial<Scope> = {}): Promise<string> {
    const minted = await this.tokens.mint(name, { permissions: PERMISSIONS, servers: ['*'], ...scope })
    return minted.token
  }

  #wire(): void {
    const { store } = this
    const [key, onError] = [this.#key, () => {}]
    this.tokens = createTokens({ store, key })
    const pins = new Pins({ store: store.definitions, now: Date.now, onError })
    this.catalog = new Catalog(this.#catalogOptions(), { pins, onError, onNameless: onError })
    this.server = this.#createServer()
    this.parts = wireCorridor({
      store,
      key,
      catalog: this.catalog,
      config: () => this.#config,
      rules: () => this.rules,
      longWork: new LongWork(),
      scopeNow: async principal => {
        const now = await this.tokens.recheck(principal)
        return isRefusal(now) ? undefined : now.scope
      },
      isAsBefore: principal => this.tokens.isAsBefore(principal),
      isForeign: () => false,
      findSet: () => undefined,
      findServer: name => (name === 's' ? this.server : undefined),
      onAsked: ({ id }) => void this.onAsked(id),
      onRiskFactors: () => {},
      onError,
      onlooker: { onOutcome: () => {} },
    })
  }

  #createServer(): UpstreamServer {
    const [config] = this.#config.servers
    if (config === undefined) throw new Error('no server')
    return new UpstreamServer(config, {
      createChannel: settings => createChannel(settings, this.#config.limits),
      clientInfo: { name: 'g', version: '1' },
      rememberedEra: async () => 'legacy',
      rememberEra: async () => {},
    })
  }

  #catalogOptions(): CatalogOptions {
    const { profile, quarantine, overrides } = this.#config
    const said = new Overrides(this.store.overrides)
    const overrideOf = (server: string, tool: string) => said.find(server, tool, overrides)
    return { profile, isQuarantined: quarantine, serverNames: ['s'], overrideOf }
  }

  #list(id: number, res: Parameters<typeof answer>[0]): void {
    const { definitions } = this
    if (definitions === undefined) answer(res, { id, error: { code: -32603, message: 'not now' } })
    else answer(res, { id, result: { tools: definitions } })
  }

  async #take(name: string, id: number, res: Parameters<typeof answer>[0]): Promise<void> {
    this.calls.push(name)
    await this.onCall()
    answer(res, { id, result: { content: [{ type: 'text', text: 'done' }] } })
  }

  /** Wraps a store so that parts of it can be down. */
  #failing(store: Store): Store {
    const unless = <A extends unknown[], R>(part: Part, work: (...args: A) => Promise<R>) => {
      return async (...args: A): Promise<R> => {
        if (!this.away.has(part)) return work(...args)
        throw new HintgateError('store_unavailable', { store: 'the store', why: 'it is away' })
      }
    }
    const { sessions, rates, audit } = store
    return {
      ...store,
      sessions: {
        ...sessions,
        find: unless('sessions.find', id => sessions.find(id)),
        save: unless('sessions.save', (session, since) => sessions.save(session, since)),
      },
      rates: { take: unless('rates.take', (key, rate) => rates.take(key, rate)) },
      audit: { ...audit, append: unless('audit.append', batch => audit.append(batch)) },
    }
  }

  #write(name: string, text: string): string {
    const path = join(this.#folder, name)
    writeFileSync(path, text)
    return path
  }
}
