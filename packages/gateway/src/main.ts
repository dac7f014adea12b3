import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Recorder } from './call/recorder.ts'
import { Catalog } from './catalog/catalog.ts'
import type { Config, ServerConfig } from './config/config.ts'
import { DirectSurface } from './doors/direct-surface.ts'
import { guardSurface } from './doors/guard-surface.ts'
import { HttpDoor } from './doors/http.ts'
import { ServerSurface } from './doors/server-surface.ts'
import { type StdioDeps, StdioDoor } from './doors/stdio.ts'
import type { Surface } from './doors/surface.ts'
import { HintgateError } from './errors.ts'
import type { Store } from './store/store.ts'
import { mayUseServer } from './tokens/match-scope.ts'
import type { Principal } from './tokens/scope.ts'
import type { Tokens } from './tokens/tokens.ts'
import { createChannel } from './upstream/create-channel.ts'
import { UpstreamServer } from './upstream/upstream-server.ts'

export interface GatewayDeps {
  readonly config: Config
  readonly store: Store
  readonly tokens: Tokens
  /** Tells the operator what is going on, one line at a time. */
  say(line: string): void
}

interface Mounted {
  readonly server: UpstreamServer
  readonly surface: Surface
  readonly digest: string
  close(): void
}

const SERVER_PREFIX = '/mcp/servers/'
const VERSION = (
  JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8')) as { version: string }
).version
const SERVER_INFO = { name: 'hintgate', version: VERSION }
/** Calls are recorded durably with the audit; until then nothing is kept. */
const FORGETFUL: Recorder = {}

/** The whole gateway: the only place that names concrete parts and puts them together. */
export class Gateway {
  readonly #deps: GatewayDeps
  readonly #catalog: Catalog
  readonly #direct: Surface
  readonly #door: HttpDoor
  readonly #mounted = new Map<string, Mounted>()
  readonly #stopWatching: () => void
  #isListening = false

  constructor(deps: GatewayDeps) {
    this.#deps = deps
    const { config, store, tokens } = deps
    this.#catalog = new Catalog({ profile: config.profile, overrides: config.overrides })
    const direct = new DirectSurface({
      ...this.#callDeps(),
      servers: () => this.#servers(),
      serverInfo: SERVER_INFO,
    })
    this.#direct = guardSurface(direct, this.#reportFault)
    this.#door = new HttpDoor({
      config,
      tokens,
      findSurface: (path, principal) => this.findSurface(path, principal),
      onError: this.#reportFault,
      isReady: () => [...this.#mounted.values()].every(({ server }) => server.state !== 'starting'),
    })
    this.#stopWatching = store.onChange(() => this.#recheck())
  }

  /** Listens first: a server that takes its time does not keep anybody from being told so. */
  async start(): Promise<string> {
    const url = await this.#door.listen()
    this.#isListening = true
    this.apply(this.#deps.config)
    return url
  }

  /** Brings the servers in line with a config: those that changed start anew, all others go on undisturbed. */
  apply(config: Config): void {
    this.#deps.tokens.configure(config.agentTokens)
    const wanted = new Map(
      config.servers.filter(server => server.enabled).map(server => [server.name, server]),
    )
    for (const [name, { digest }] of this.#mounted) {
      const next = wanted.get(name)
      if (next === undefined || digestOf(next) !== digest) this.#unmount(name)
    }
    for (const server of wanted.values()) if (!this.#mounted.has(server.name)) this.#mount(server)
    const { profile, overrides } = config
    this.#catalog.configure({ profile, overrides }, this.#servers())
    this.#sayWhatWaits(config)
    this.#recheck()
  }

  findSurface(path: string, principal: Principal): Surface | undefined {
    if (path === '/mcp/direct') return this.#direct
    if (!path.startsWith(SERVER_PREFIX)) return undefined
    const name = path.slice(SERVER_PREFIX.length)
    return mayUseServer(principal.scope, name) ? this.#mounted.get(name)?.surface : undefined
  }

  /** Serves one client over a pipe until it leaves; nobody listens on a port. */
  async serveStdio(client: Pick<StdioDeps, 'input' | 'output' | 'principal'>, path: string): Promise<void> {
    this.apply(this.#deps.config)
    const surface = this.findSurface(path, client.principal)
    if (surface === undefined)
      throw new HintgateError('unknown_server', { server: path.slice(SERVER_PREFIX.length) })
    const door = new StdioDoor({ ...client, surface, limits: this.#deps.config.limits })
    await door.serve()
    await door.drain(this.#deps.config.drainMs)
    door.close()
  }

  async close(): Promise<void> {
    this.#stopWatching()
    if (this.#isListening) await this.#door.close(this.#deps.config.drainMs)
    await Promise.all([...this.#mounted.values()].map(({ server }) => server.stop()))
  }

  readonly #reportFault = (error: unknown): void => {
    this.#deps.say(`a fault of ours: ${error instanceof Error ? error.stack : String(error)}`)
  }

  /** A store that does not answer is told to the operator; it must not end the gateway. */
  #recheck(): void {
    this.#door.recheck().catch(this.#reportFault)
  }

  #servers(): readonly UpstreamServer[] {
    return [...this.#mounted.values()].map(({ server }) => server)
  }

  #callDeps() {
    return {
      catalog: this.#catalog,
      recorder: FORGETFUL,
      findServer: (name: string) => this.#mounted.get(name)?.server,
    }
  }

  #mount(config: ServerConfig): void {
    const digest = digestOf(config)
    const { eras } = this.#deps.store
    const server = new UpstreamServer(config, {
      createChannel: settings => createChannel(settings, this.#deps.config.limits),
      clientInfo: SERVER_INFO,
      // Asking a process costs a start or a time-out; a web server is asked anew, it may have learned.
      rememberedEra: async () =>
        config.transport.kind === 'stdio' ? eras.find(config.name, digest) : undefined,
      rememberEra: era => eras.remember(config.name, digest, era),
    })
    const own = new ServerSurface(server, this.#callDeps())
    const surface = guardSurface(own, this.#reportFault)
    server.listen({
      onReady: ({ era, protocolVersion }) =>
        this.#deps.say(`${config.name} is ready (${era}, ${protocolVersion})`),
      onEvent: () => {},
      onDown: ({ detail }) => this.#deps.say(`${config.name} is down: ${detail}`),
    })
    this.#mounted.set(config.name, { server, surface, digest, close: () => own.close() })
    server.start()
  }

  #unmount(name: string): void {
    const mounted = this.#mounted.get(name)
    if (mounted === undefined) return
    this.#mounted.delete(name)
    mounted.close()
    this.#door.endAt(mounted.surface)
    this.#catalog.remove(name)
    mounted.server.stop().catch(this.#reportFault)
  }

  /** What is read at the start only; an edit of it is not lost, but it waits. */
  #sayWhatWaits(config: Config): void {
    const before = this.#deps.config
    const changed = NEEDS_RESTART.filter(key => JSON.stringify(before[key]) !== JSON.stringify(config[key]))
    if (changed.length > 0)
      this.#deps.say(`changed, but needs a restart to take effect: ${changed.join(', ')}`)
  }
}

const NEEDS_RESTART = [
  'listen',
  'store',
  'limits',
  'allowedHosts',
  'allowedOrigins',
  'behindProxy',
  'tls',
  'drainMs',
] as const

function digestOf(config: ServerConfig): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('hex')
}
