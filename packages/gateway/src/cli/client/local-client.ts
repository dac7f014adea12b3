import type { Path } from '../../base/errors/problem.ts'
import { HintgateError } from '../../base/errors.ts'
import type { Explanation } from '../../call/explain-call.ts'
import type { Config } from '../../config/config.ts'
import { callerOf, type Imagined, imagineCall } from '../../exchange/silent-exchange.ts'
import type { Answer } from '../../exchange/surface.ts'
import { ModernCall } from '../../inbound/modern/modern-call.ts'
import { Gateway } from '../../main.ts'
import type { Thing } from '../../policy/facts/request-facts.ts'
import { RPC } from '../../protocol/messages.ts'
import { parseJson } from '../../protocol/parse-json.ts'
import { mayUseServer } from '../../scope/match-scope.ts'
import type { Principal } from '../../scope/scope.ts'
import type { ClientFlags } from '../terminal/context.ts'
import { findLocalPrincipal, type GatewayResources, openResources } from './open-resources.ts'
import {
  type OnNotification,
  type Reply,
  type SurfaceClient,
  type Wanted,
  writeParams,
} from './surface-client.ts'

/**
 * The servers that a command needs: all of them, certain servers that must exist, or the server in a tool's id, if it
 * exists.
 */
export type Needs =
  | { readonly kind: 'all' }
  | { readonly kind: 'named'; readonly servers: readonly string[] }
  | { readonly kind: 'meant'; readonly server: string }

/** Opens a gateway in this process, with only the servers that one command needs. */
export async function openLocal(flags: ClientFlags, needs: Needs, signal: AbortSignal): Promise<LocalClient> {
  const resources = await openFor(flags, needs)
  const closeStore = (): Promise<void> => resources.store.close()
  try {
    const principal = await findLocalPrincipal(flags.as, 'cli', {
      config: resources.loaded.config,
      store: resources.store,
    })
    const config = narrow(resources.loaded.config, principal)
    if (config.servers.length === 0) explainNoServers(resources, principal)
    const { rules } = resources.loaded
    const gateway = new Gateway({ ...resources, config, rules, say: reportUnusual })
    gateway.apply({ config, rules })
    const servers = config.servers.map(({ name }) => name)
    return new LocalClient({ gateway, principal, servers, signal, closeStore })
  } catch (error) {
    await closeStore()
    throw error
  }
}

async function openFor(flags: ClientFlags, needs: Needs): Promise<GatewayResources> {
  if (needs.kind === 'all') return openResources(flags, isTokenSecret)
  const names = needs.kind === 'named' ? needs.servers : [needs.server]
  const resources = await openResources(flags, path => isTokenSecret(path) || isOtherServer(path, names))
  const known = new Set(resources.loaded.config.servers.map(({ name }) => name))
  const missing = names.find(name => !known.has(name))
  if (missing === undefined) return resources
  await resources.store.close()
  if (needs.kind === 'named') throw new HintgateError('unknown_server', { server: missing })
  // The server does not exist, so all servers are opened, and the refusal can suggest a similar tool.
  return openResources(flags, isTokenSecret)
}

/** True for a token's secret, which is allowed to be missing, because a local command uses no tokens. */
function isTokenSecret([section, , key]: Path): boolean {
  return section === 'agent_tokens' && key === 'token'
}

/** True for a server that is not started. Its secrets are allowed to be missing. */
function isOtherServer([section, name]: Path, names: readonly string[]): boolean {
  return section === 'mcpServers' && typeof name === 'string' && !names.includes(name)
}

/**
 * Narrows the config to the servers that the caller is allowed to use, and lifts the limit at which results are cut.
 */
function narrow(config: Config, { scope }: Principal): Config {
  const servers = config.servers.filter(server => server.enabled && mayUseServer(scope, server.name))
  return { ...config, servers, limits: { ...config.limits, answerChars: Number.POSITIVE_INFINITY } }
}

function explainNoServers({ loaded }: GatewayResources, { name, kind }: Principal): void {
  if (loaded.config.servers.length > 0)
    say(kind === 'agent' ? `${name} may use none of the servers` : 'all servers are disabled')
  else
    say(
      loaded.path === undefined
        ? 'no config file was found; name one with --config'
        : `${loaded.path} has no servers`,
    )
}

function say(line: string): void {
  process.stderr.write(`hintgate: ${line}\n`)
}

/** Prints a log line, unless it says that a server starts or stops. `ready` reports servers that fail. */
function reportUnusual(line: string): void {
  if (process.env.HINTGATE_DEBUG || !/^\S+ is (?:ready|down)\b/.test(line)) say(line)
}

interface LocalDeps {
  readonly gateway: Gateway
  readonly principal: Principal
  readonly servers: readonly string[]
  readonly signal: AbortSignal
  closeStore(): Promise<void>
}

/** Maximum nesting to read. It is deeper than any message that a connection accepts. */
const MAX_DEPTH = 1000
const PATIENCE_MS = 3000
/** Calls are never parked, because a command cannot answer questions. */
const NO_PARKING = { createState: () => '', park() {}, grow() {} }

class LocalClient implements SurfaceClient {
  readonly #deps: LocalDeps
  #requests = 0

  constructor(deps: LocalDeps) {
    this.#deps = deps
  }

  /** Waits for all servers, even slow ones, because a single command should see every tool. */
  async ready() {
    const { servers } = this.#deps
    const waiting = new Set(servers)
    const patience = setTimeout(() => say(`waiting for ${[...waiting].join(', ')}`), PATIENCE_MS)
    const failed: string[] = []
    await Promise.all(
      servers.map(async name => {
        const reply = await this.request(`/mcp/servers/${name}`, { method: 'tools/list' })
        waiting.delete(name)
        if (!('error' in reply)) return
        failed.push(name)
        say(reply.error.message)
      }),
    )
    clearTimeout(patience)
    return { failed, started: servers.length - failed.length }
  }

  async request(path: string, { method, params }: Wanted, onNotification?: OnNotification): Promise<Reply> {
    const { gateway, principal, signal } = this.#deps
    const surface = gateway.findSurface(path, principal)
    if (surface === undefined) return { error: { code: RPC.generic, message: `unknown path ${path}` } }
    const written = writeParams(params, onNotification)
    const caller = callerOf(principal, written)
    this.#requests += 1
    const request = { jsonrpc: '2.0', id: this.#requests, method, params: written } as const
    return new Promise((resolve, reject) => {
      const sink = {
        notify: onNotification ?? (() => {}),
        finish: (answer: Answer): void => resolve(toReply(answer)),
      }
      const call = new ModernCall(request, { caller, sink, surface, parked: NO_PARKING })
      const cancel = (): void => call.cancel('the command was interrupted')
      if (signal.aborted) cancel()
      else signal.addEventListener('abort', cancel, { once: true })
      surface.handle(call).then(answer => call.finish(answer), reject)
    })
  }

  /** Explains the verdict on a call by this caller, without making the call. */
  explain(
    imagined: Imagined,
    session: string | undefined,
    kind: Thing['kind'] | undefined,
  ): Promise<Explanation> {
    const { gateway, principal } = this.#deps
    return gateway.explain(imagineCall(callerOf(principal, undefined, session), imagined), kind)
  }

  async close(): Promise<void> {
    await this.#deps.gateway.close()
    await this.#deps.closeStore()
  }
}

function toReply(answer: Answer): Reply {
  if ('result' in answer || 'error' in answer) return answer
  if ('cancelled' in answer) return { error: { code: RPC.generic, message: 'the call was cancelled' } }
  const parsed = parseJson('written' in answer ? answer.written : answer.bytes.toString(), MAX_DEPTH)
  if (!parsed.ok) throw new Error(`the answer cannot be read: ${parsed.reason}`)
  return { result: parsed.value as Extract<Reply, { result: unknown }>['result'] }
}
