import { homedir } from 'node:os'
import { type LoadedConfig, loadConfig } from '../config/load-config.ts'
import { renderProblems } from '../config/problem.ts'
import { createReloader } from '../config/reloader.ts'
import { HintgateError } from '../errors.ts'
import { Gateway } from '../main.ts'
import { openStore } from '../store/open-store.ts'
import type { Store } from '../store/store.ts'
import type { Principal, Scope } from '../tokens/scope.ts'
import { loadSecretKey } from '../tokens/secret-key.ts'
import { createTokens } from '../tokens/tokens.ts'

export interface ServeFlags {
  config?: string
  listen?: string
  store?: string
  home?: string
  behindProxy?: boolean
}

export interface StdioFlags extends ServeFlags {
  agent?: string
  server?: string
}

interface Opened {
  readonly gateway: Gateway
  readonly loaded: LoadedConfig
  readonly store: Store
  readonly load: () => LoadedConfig
}

const say = (line: string): void => void process.stderr.write(`hintgate: ${line}\n`)

async function open(flags: ServeFlags): Promise<Opened> {
  // A promise that nobody waited for must not take everybody's calls down with it.
  process.on('unhandledRejection', error =>
    say(`a fault of ours: ${error instanceof Error ? error.stack : String(error)}`),
  )
  const load = () =>
    loadConfig({ path: flags.config, env: process.env, cwd: process.cwd(), homeDir: homedir(), flags })
  const loaded = load()
  const store = await openStore(loaded.config.store)
  const key = loadSecretKey(loaded.home)
  const tokens = createTokens({ store, key, agentTokens: loaded.config.agentTokens, checkEveryMs: 10 })
  return { gateway: new Gateway({ config: loaded.config, store, tokens, say }), loaded, store, load }
}

/** `hintgate serve`: runs until it is told to stop. */
export async function serve(flags: ServeFlags): Promise<void> {
  const opened = await open(flags)
  const url = await opened.gateway.start().catch((error: NodeJS.ErrnoException) => {
    const { host, port } = opened.loaded.config.listen
    throw new HintgateError(
      'listen_failed',
      { address: `${host}:${port}`, why: error.code ?? error.message },
      { cause: error },
    )
  })
  process.stdout.write(`listening ${url}\n`)
  const stopReloading = reloadOnChange(opened)
  await untilToldToStop()
  say('shutting down')
  stopReloading()
  await close(opened)
}

/** `hintgate stdio`: one client on this process's own pipe. */
export async function serveStdio(flags: StdioFlags): Promise<void> {
  const opened = await open(flags)
  const principal = await localPrincipal(flags.agent, opened)
  const path = flags.server === undefined ? '/mcp/direct' : `/mcp/servers/${flags.server}`
  const serving = opened.gateway.serveStdio({ input: process.stdin, output: process.stdout, principal }, path)
  const stopReloading = reloadOnChange(opened)
  await Promise.race([serving, untilToldToStop()])
  stopReloading()
  await close(opened)
}

const EVERYTHING: Scope = {
  permissions: ['retrieve_tools', 'call_tool_read', 'call_tool_write', 'call_tool_destructive'],
  servers: ['*'],
}

/** Whoever starts this process owns the config and the store, so a name is enough; `--agent` narrows the scope. */
async function localPrincipal(agent: string | undefined, { loaded, store }: Opened): Promise<Principal> {
  if (agent === undefined)
    return { id: 'person:stdio', name: 'stdio', kind: 'person', scope: EVERYTHING, credential: 'stdio' }
  const configured = loaded.config.agentTokens.find(token => token.name === agent)
  const stored = await store.tokens.findByName(agent)
  const scope = configured?.scope ?? (stored?.revokedAt === undefined ? stored?.scope : undefined)
  if (scope === undefined) throw new HintgateError('token_unknown', { name: agent })
  return { id: `agent:${agent}`, name: agent, kind: 'agent', scope, credential: 'stdio' }
}

function reloadOnChange({ gateway, loaded, load }: Opened): () => void {
  const reloader = createReloader({
    path: loaded.path,
    load,
    onEvent(event) {
      if (event.kind === 'refused') {
        return say(
          `the configuration was not taken over; the old one stays in force\n${renderProblems(event.file, event.problems)}`,
        )
      }
      gateway.apply(event.config)
      say('the configuration was taken over')
    },
  })
  process.on('SIGHUP', reloader.reload)
  return () => {
    process.off('SIGHUP', reloader.reload)
    reloader.close()
  }
}

function untilToldToStop(): Promise<void> {
  return new Promise(resolve => {
    for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => resolve())
  })
}

async function close({ gateway, store }: Opened): Promise<void> {
  await gateway.close()
  await store.close()
  // A library's timer or socket must not keep the process; everything of ours is closed.
  process.exit(0)
}
