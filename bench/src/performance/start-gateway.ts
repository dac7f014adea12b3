// Hintgate as users start it: a process, a config file, and a token from the command line.
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Running } from './start-process.ts'
import { startProcess } from './start-process.ts'
import { locate } from './upstreams.ts'

const BIN = fileURLToPath(new URL('../../../packages/gateway/bin/hintgate.js', import.meta.url))
const PERMISSIONS = 'read,write,destructive,retrieve_tools'

export interface GatewayConfig {
  readonly mcpServers: Readonly<Record<string, object>>
  readonly limits?: Readonly<Record<string, number | string>>
  readonly [key: string]: unknown
}

export interface Gateway extends Running {
  readonly token: string
  /** Flags that make commands use this gateway. */
  readonly place: readonly string[]
}

interface Run {
  /** Flags for Node itself. */
  readonly node?: readonly string[]
  /** Runs without the bundle, so that a module can be replaced. */
  readonly isPlain?: boolean
}

/** Starts `hintgate serve` on a free port. Its home and config are removed with it. */
export async function startGateway(
  config: GatewayConfig,
  files: Readonly<Record<string, string>> = {},
  { node = [], isPlain = false }: Run = {},
): Promise<Gateway> {
  const folder = await mkdtemp(join(tmpdir(), 'hintgate-run-'))
  const removeFolder = (): Promise<void> => rm(folder, { recursive: true, force: true })
  try {
    const file = join(folder, 'hintgate.json')
    await writeFile(file, JSON.stringify(config, null, 2))
    for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text)
    const place = ['--config', file, '--home', folder]
    const token = await mintToken(place)
    const running = await startProcess({
      name: 'hintgate serve',
      command: process.execPath,
      args: [
        ...node,
        isPlain ? locate('plain-command') : BIN,
        'serve',
        ...place,
        ...(config.listen === undefined ? ['--listen', '127.0.0.1:0'] : []),
      ],
      cwd: folder,
      ready: /listening (http:\/\/\S+)/,
    })
    const stop = (): Promise<void> => running.stop().finally(removeFolder)
    return { ...running, token, place, stop }
  } catch (error) {
    await removeFolder()
    throw error
  }
}

async function mintToken(place: readonly string[]): Promise<string> {
  const wanted = ['tokens', 'create', 'test-run', '--permissions', PERMISSIONS, '--servers', '*', '--json']
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, ...wanted, ...place])
  const { token } = JSON.parse(stdout) as { token?: unknown }
  if (typeof token !== 'string')
    throw new Error(`\`hintgate tokens create --json\` returned no token: ${stdout}`)
  return token
}
