import { createHash } from 'node:crypto'
import { HintgateError } from '../base/errors.ts'
import type { Catalog } from '../catalog/catalog.ts'
import type { Config, Limits, ServerConfig } from '../config/config.ts'
import type { Surface } from '../exchange/surface.ts'
import type { Store } from '../store/store.ts'
import type { Channel, Failure } from '../upstream/channel/channel.ts'
import type { Handshake } from '../upstream/connection/upstream-request.ts'
import { createChannel } from '../upstream/create-channel.ts'
import {
  createUpstreamOAuth,
  openState,
  type SignInResponse,
  type UpstreamOAuth,
} from '../upstream/oauth/upstream-oauth.ts'
import { UpstreamServer } from '../upstream/upstream-server.ts'

interface MountDeps {
  readonly store: Pick<Store, 'eras' | 'secrets'>
  /** The key from which all other secrets are derived. */
  readonly key: Buffer
  /** The current config. */
  readonly config: () => Config
  /** The limits that the gateway started with. */
  readonly limits: Limits
  readonly catalog: Catalog
  readonly clientInfo: { readonly name: string; readonly version: string }
  /** Creates a server's surface, and a function that closes that surface. */
  createSurface(server: UpstreamServer): { readonly surface: Surface; close(): void }
  onUnmounted(surface: Surface): void
  onReady(server: string, handshake: Handshake): void
  onDown(server: string, failure: Failure): void
  readonly onError: (error: unknown) => void
}

interface Mounted {
  readonly config: ServerConfig
  readonly digest: string
  readonly server: UpstreamServer
  readonly surface: Surface
  readonly oauth: UpstreamOAuth | undefined
  /** The channel opened most recently. */
  channel: Channel | undefined
  close(): void
}

export class MountedServers {
  readonly #deps: MountDeps
  readonly #mounted = new Map<string, Mounted>()

  constructor(deps: MountDeps) {
    this.#deps = deps
  }

  get all(): readonly UpstreamServer[] {
    return [...this.#mounted.values()].map(({ server }) => server)
  }

  find(name: string): UpstreamServer | undefined {
    return this.#mounted.get(name)?.server
  }

  surfaceOf(name: string): Surface | undefined {
    return this.#mounted.get(name)?.surface
  }

  stderrOf(name: string): readonly string[] {
    return this.#mounted.get(name)?.channel?.stderr ?? []
  }

  /** Restarts the servers whose config changed. Others keep running. */
  apply(servers: readonly ServerConfig[]): void {
    const wanted = new Map(servers.filter(server => server.enabled).map(server => [server.name, server]))
    for (const [name, { digest }] of this.#mounted) {
      const next = wanted.get(name)
      if (next === undefined || digestOf(next) !== digest) this.#unmount(name)
    }
    for (const server of wanted.values()) if (!this.#mounted.has(server.name)) this.#mount(server)
  }

  /** Restarts a server. False if no server has this name. */
  restart(name: string): boolean {
    const mounted = this.#mounted.get(name)
    if (mounted === undefined) return false
    this.#unmount(name)
    this.#mount(mounted.config)
    return true
  }

  /** Starts a sign-in, and returns the URL for the person to open. Undefined if the server does not use OAuth. */
  async beginSignIn(name: string): Promise<string | undefined> {
    return this.#mounted.get(name)?.oauth?.begin()
  }

  /** Completes a sign-in, and returns the server's name. */
  async finishSignIn(comeback: SignInResponse): Promise<string> {
    const name = openState(comeback.state, this.#deps.key)?.server ?? ''
    const oauth = this.#mounted.get(name)?.oauth
    if (oauth === undefined)
      throw new HintgateError('server_sign_in_failed', {
        server: 'a server',
        why: 'the sign-in was not started at this gateway',
      })
    await oauth.finish(comeback)
    this.restart(name)
    return name
  }

  /**
   * Restarts servers that rejected the gateway's credentials, if a person has since signed in to them at another
   * replica.
   */
  async lookForCredentials(): Promise<void> {
    for (const { oauth, server } of [...this.#mounted.values()])
      if (server.lastFailure?.kind === 'unauthorized' && (await oauth?.hasNewCredentials()))
        this.restart(server.name)
  }

  async stop(): Promise<void> {
    await Promise.all(this.all.map(server => server.stop()))
  }

  #mount(config: ServerConfig): void {
    const { store, key, clientInfo, limits } = this.#deps
    const digest = digestOf(config)
    const oauth = createUpstreamOAuth(config, { config: this.#deps.config(), secrets: store.secrets, key })
    const server: UpstreamServer = new UpstreamServer(config, {
      createChannel: settings => {
        const channel = createChannel(settings, limits, oauth)
        const mounted = this.#mounted.get(config.name)
        if (mounted?.server === server) mounted.channel = channel
        return channel
      },
      clientInfo,
      // Detecting the era of a process means a start or a timeout, so the stored era is used. A web server is asked
      // again, because it might have been upgraded.
      rememberedEra: async () =>
        config.transport.kind === 'stdio' ? store.eras.find(config.name, digest) : undefined,
      rememberEra: era => store.eras.remember(config.name, digest, era),
      onFault: this.#deps.onError,
    })
    const front = this.#deps.createSurface(server)
    server.listen({
      onReady: handshake => this.#deps.onReady(config.name, handshake),
      onEvent: () => {},
      onDown: failure => this.#deps.onDown(config.name, failure),
    })
    this.#mounted.set(config.name, { config, digest, server, oauth, channel: undefined, ...front })
    server.start()
  }

  #unmount(name: string): void {
    const mounted = this.#mounted.get(name)
    if (mounted === undefined) return
    this.#mounted.delete(name)
    mounted.close()
    this.#deps.onUnmounted(mounted.surface)
    this.#deps.catalog.remove(name)
    mounted.server.stop().catch(this.#deps.onError)
  }
}

function digestOf(config: ServerConfig): string {
  return createHash('sha256').update(JSON.stringify(config)).digest('hex')
}
