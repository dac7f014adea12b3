// The programs that are measured, each in its own process, in front of the same upstreams.
import { fileURLToPath } from 'node:url'
import type { Target } from './load.ts'
import { LOADED_GUARDRAILS, LOADED_RESULTS, loadedPolicies } from './loaded-profile.ts'
import type { Setting } from './plan.ts'
import { startGateway } from './start-gateway.ts'
import type { Running } from './start-process.ts'
import { findFreePort, startOnPort, startProcess } from './start-process.ts'
import type { Upstreams } from './upstreams.ts'
import { locate } from './upstreams.ts'

export interface Contender {
  readonly name: string
  readonly targets: readonly Target[]
  /** The proxy's process; a direct connection has none. */
  readonly pid?: number
  readonly stop: () => Promise<void>
}

/** A proxy that is already running in front of `upstream-http.js`. */
export interface Peer {
  readonly name: string
  readonly url: string
  readonly pid: number
}

type Start = (setting: Setting, upstreams: Upstreams) => Promise<Omit<Contender, 'name'>>

const PEERS = fileURLToPath(new URL('../../../test/peers/', import.meta.url))
const PEER_READY_MS = 8000
const LISTENING = /listening (http:\/\/\S+)/

const STARTS: ReadonlyMap<string, Start> = new Map([
  ['direct', startDirect],
  ['floor', startFloor],
  ['sdk-proxy', startSdkProxy],
  ['hintgate', startHintgate],
  ['hintgate-loaded', startLoaded],
  ['mcp-proxy', startMcpProxy],
  ['supergateway', startSupergateway],
])

/** These proxies from the registry support one stdio server each. */
const ONE_STDIO_SERVER = new Set(['mcp-proxy', 'supergateway'])

/** The cost of the decision does not depend on the other settings. */
const MODERN_ONLY = new Set(['hintgate-loaded'])

/** In the modern era it starts a process for every request: 14 calls a second, which measures process starts. */
const LEGACY_ONLY = new Set(['supergateway'])

export function listContenders({ transport, upstreams, era }: Setting): string[] {
  const isOneStdioServer = transport === 'stdio' && upstreams === 1
  return [...STARTS.keys()]
    .filter(name => isOneStdioServer || !ONE_STDIO_SERVER.has(name))
    .filter(name => era === 'legacy' || !LEGACY_ONLY.has(name))
    .filter(name => (era === 'modern' && upstreams === 1) || !MODERN_ONLY.has(name))
}

export async function startContender(
  name: string,
  setting: Setting,
  upstreams: Upstreams,
): Promise<Contender> {
  const start = STARTS.get(name)
  if (start === undefined) throw new Error(`Unknown contender "${name}".`)
  return { name, ...(await start(setting, upstreams)) }
}

export function usePeer({ name, url, pid }: Peer): Contender {
  return { name, targets: [http(url)], pid, stop: async () => {} }
}

async function startDirect(
  _setting: Setting,
  { urls, commands }: Upstreams,
): Promise<Omit<Contender, 'name'>> {
  const targets = [
    ...urls.map(url => http(url)),
    ...commands.map(command => ({ kind: 'stdio' as const, command })),
  ]
  return { targets, stop: async () => {} }
}

async function startFloor(
  { transport }: Setting,
  { urls, commands }: Upstreams,
): Promise<Omit<Contender, 'name'>> {
  const upstreams = [...urls, ...commands.map(command => JSON.stringify(command))]
  const args = [locate(`floor-${transport}`), ...upstreams]
  const running = await startProcess({ name: 'the floor', command: process.execPath, args, ready: LISTENING })
  return numberRoutes(running, upstreams.length)
}

async function startSdkProxy(
  { era }: Setting,
  { urls, commands }: Upstreams,
): Promise<Omit<Contender, 'name'>> {
  const upstreams = [...urls, ...commands.map(command => JSON.stringify(command))]
  const args = [`${PEERS}dist/sdk-proxy/main.js`, '--era', era, ...upstreams]
  const running = await startProcess({ name: 'sdk-proxy', command: process.execPath, args, ready: LISTENING })
  return numberRoutes(running, upstreams.length)
}

function startHintgate(_setting: Setting, upstreams: Upstreams): Promise<Omit<Contender, 'name'>> {
  return startInFront(upstreams, {})
}

function startLoaded(_setting: Setting, upstreams: Upstreams): Promise<Omit<Contender, 'name'>> {
  const rules = { policies: ['loaded.yaml'], guardrails: LOADED_GUARDRAILS, results: LOADED_RESULTS }
  return startInFront(upstreams, rules, { 'loaded.yaml': loadedPolicies() })
}

async function startInFront(
  { urls, commands }: Upstreams,
  rules: object,
  files?: Readonly<Record<string, string>>,
): Promise<Omit<Contender, 'name'>> {
  const servers = [
    ...urls.map(url => ({ url, trust: 'trusted' })),
    ...commands.map(([command, ...args]) => ({ command, args, trust: 'trusted' })),
  ]
  const names = servers.map((_, index) => `up${index}`)
  const mcpServers = Object.fromEntries(servers.map((server, index) => [`up${index}`, server]))
  const { pid, url, token, stop } = await startGateway({ ...rules, mcpServers }, files)
  return { targets: names.map(name => http(new URL(`/mcp/servers/${name}`, url).href, token)), pid, stop }
}

async function startMcpProxy(_setting: Setting, { commands }: Upstreams): Promise<Omit<Contender, 'name'>> {
  const port = await findFreePort()
  const options = ['--port', String(port), '--host', '127.0.0.1', '--server', 'stream']
  const program = `${PEERS}node_modules/mcp-proxy/dist/bin/mcp-proxy.mjs`
  const args = [program, ...options, '--', ...(commands[0] ?? [])]
  const running = await startOnPort(
    { name: 'mcp-proxy', command: process.execPath, args, readyMs: PEER_READY_MS },
    port,
  )
  return { targets: [http(`http://127.0.0.1:${port}/mcp`)], pid: running.pid, stop: running.stop }
}

async function startSupergateway(
  _setting: Setting,
  { commands }: Upstreams,
): Promise<Omit<Contender, 'name'>> {
  const port = await findFreePort()
  // Without sessions it starts a process for every request.
  const options = [
    '--outputTransport',
    'streamableHttp',
    '--stateful',
    '--logLevel',
    'none',
    '--port',
    String(port),
  ]
  const program = `${PEERS}node_modules/supergateway/dist/index.js`
  const args = [program, '--stdio', (commands[0] ?? []).join(' '), ...options]
  const running = await startOnPort(
    { name: 'supergateway', command: process.execPath, args, readyMs: PEER_READY_MS },
    port,
  )
  return { targets: [http(`http://127.0.0.1:${port}/mcp`)], pid: running.pid, stop: running.stop }
}

function numberRoutes({ url, pid, stop }: Running, count: number): Omit<Contender, 'name'> {
  return { targets: Array.from({ length: count }, (_, index) => http(`${url}/${index}`)), pid, stop }
}

function http(url: string, token?: string): Target {
  return { kind: 'http', url, headers: token === undefined ? {} : { authorization: `Bearer ${token}` } }
}
