import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { later } from './clean-up.ts'
import { hintgate } from './hintgate.ts'
import { address, type Running, type RunOptions, run, serverFile } from './processes.ts'
import type { Witness } from './witness.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))

export type Server = Readonly<Record<string, unknown>>

export interface GatewayConfig {
  readonly mcpServers?: Readonly<Record<string, Server>>
  readonly limits?: Readonly<Record<string, number | string>>
  readonly [key: string]: unknown
}

export interface TokenOptions {
  readonly permissions?: string
  readonly servers?: string
  readonly tools?: string
  readonly sets?: string
  readonly expires?: string
  readonly rate?: string
  readonly statesTask?: boolean
}

/** A new folder with a config and a home for the gateway, and the commands that work on them. */
export class Site {
  readonly folder = mkdtempSync(join(tmpdir(), 'hintgate-e2e-'))
  readonly home = join(this.folder, 'home')
  readonly configFile = join(this.folder, 'hintgate.json')
  #names = 0

  constructor(config: GatewayConfig) {
    later(() => rmSync(this.folder, { recursive: true, force: true, maxRetries: 5 }))
    this.configure(config)
  }

  /** Replaces the config in one step, like an editor. */
  configure(config: GatewayConfig | string): void {
    // Most tests concern what happens after a review, without questions.
    const easy = { quarantine: false, confirm: { destructive: 'never', trifecta: 'off' } }
    const text = typeof config === 'string' ? config : JSON.stringify({ ...easy, ...config }, undefined, 2)
    writeFileSync(`${this.configFile}.new`, text)
    renameSync(`${this.configFile}.new`, this.configFile)
  }

  get flags(): string[] {
    return ['--config', this.configFile, '--home', this.home]
  }

  /** Creates a token; it may do everything unless the options limit it. */
  async token(options: TokenOptions = {}): Promise<string> {
    return (await this.namedToken(options)).token
  }

  async namedToken(options: TokenOptions = {}): Promise<{ name: string; token: string }> {
    const name = `agent-${++this.#names}`
    const {
      permissions = 'read,write,destructive',
      servers = '*',
      tools,
      sets,
      expires,
      rate,
      statesTask,
    } = options
    const scope = ['--permissions', permissions, '--servers', servers]
    if (tools !== undefined) scope.push('--tools', tools)
    if (sets !== undefined) scope.push('--sets', sets)
    if (expires !== undefined) scope.push('--expires', expires)
    if (rate !== undefined) scope.push('--rate', rate)
    if (statesTask === true) scope.push('--states-task')
    const made = await hintgate(['tokens', 'create', name, ...scope, '--json', ...this.flags])
    if (made.code !== 0) throw new Error(`no token: ${made.stderr}`)
    return { name, token: (JSON.parse(made.stdout) as { token: string }).token }
  }

  async revoke(name: string): Promise<void> {
    const { code, stderr } = await hintgate(['tokens', 'revoke', name, ...this.flags])
    if (code !== 0) throw new Error(`not revoked: ${stderr}`)
  }
}

export interface Gateway extends Running {
  readonly site: Site
  readonly url: string
  /** The endpoint of one server, or without a name the direct surface. */
  endpoint(server?: string): string
  /** Waits for a line on the gateway's standard error. */
  says(pattern: RegExp): Promise<string>
}

/** Starts a gateway as a new process on a free port. */
export function startGateway(config: GatewayConfig, options: RunOptions = {}): Promise<Gateway> {
  return startGatewayAt(new Site(config), options)
}

/** Starts a gateway with the site of an earlier one. */
export async function startGatewayAt(
  site: Site,
  options: RunOptions & { readonly flags?: readonly string[] } = {},
  listen = '127.0.0.1:0',
): Promise<Gateway> {
  const flags = ['serve', ...site.flags, '--listen', listen, ...(options.flags ?? [])]
  const running = run(process.execPath, [BIN, ...flags], { cwd: site.folder, ...options })
  const url = await address(running)
  return {
    ...running,
    site,
    url,
    endpoint: server => (server === undefined ? `${url}/mcp/direct` : `${url}/mcp/servers/${server}`),
    says: pattern => running.stderr.until(line => pattern.test(line)),
  }
}

/** Starts a gateway and waits until all of its servers are ready. */
export async function startReadyGateway(config: GatewayConfig, options: RunOptions = {}): Promise<Gateway> {
  const gateway = await startGateway(config, options)
  await Promise.all(Object.keys(config.mcpServers ?? {}).map(name => gateway.says(readiness(name))))
  return gateway
}

export const readiness = (server: string): RegExp => new RegExp(`\\b${server} is ready`)

/** Starts `hintgate stdio`, like a client. */
export function startStdioGateway(
  site: Site,
  flags: readonly string[] = [],
  options: RunOptions = {},
): Running {
  return run(process.execPath, [BIN, 'stdio', ...site.flags, ...flags], { cwd: site.folder, ...options })
}

/** The config of a server of `test/servers` that the gateway starts. */
export function stdioServer(
  name: string,
  witness: Witness,
  args: readonly string[] = [],
  more: Server = {},
): Server {
  const flags = ['--name', name, '--report', witness.line, ...args]
  return { command: process.execPath, args: [serverFile('stdio.mjs'), ...flags], trust: 'trusted', ...more }
}

/** Starts a server of `test/servers` that listens on a port. */
export async function httpServer(
  name: string,
  witness: Witness,
  args: readonly string[] = [],
  more: Server = {},
): Promise<Server> {
  const flags = ['--name', name, '--report', witness.line, ...args]
  const url = await address(run(process.execPath, [serverFile('http.mjs'), ...flags]))
  return { url, type: 'http', trust: 'trusted', ...more }
}
