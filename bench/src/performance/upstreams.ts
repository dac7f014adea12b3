// The bench's own servers for a setting.
import { fileURLToPath } from 'node:url'
import type { Setting } from './plan.ts'
import { startProcess } from './start-process.ts'

export interface Upstreams {
  /** For HTTP. */
  readonly urls: readonly string[]
  /** For stdio: the command that starts one of them. */
  readonly commands: readonly (readonly string[])[]
  readonly pid: number
  readonly stop: () => Promise<void>
}

export function locate(program: string): string {
  return fileURLToPath(new URL(`./${program}.js`, import.meta.url))
}

export async function startUpstreams({ transport, era, upstreams, tools }: Setting): Promise<Upstreams> {
  if (transport === 'stdio') {
    const command = [process.execPath, locate('upstream-stdio'), era, String(tools)]
    return {
      urls: [],
      commands: Array.from({ length: upstreams }, () => command),
      pid: 0,
      stop: async () => {},
    }
  }
  const count = ['--count', String(upstreams), '--tools', String(tools)]
  const running = await startProcess({
    name: 'the upstream',
    command: process.execPath,
    args: [locate('upstream-http'), '--era', era, ...count],
    ready: /listening (\S+)\n/,
  })
  return { urls: running.url.split(','), commands: [], pid: running.pid, stop: running.stop }
}
