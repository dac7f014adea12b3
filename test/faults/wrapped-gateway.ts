import { fileURLToPath } from 'node:url'
import type { Site } from '../support/gateway.ts'
import { type Running, run } from '../support/processes.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))

/** `hintgate serve` under a shell that does something to itself first: limits that are set there hold for the gateway. */
export function serveAfter(script: string, site: Site): Running {
  const flags = ['serve', ...site.flags, '--listen', '127.0.0.1:0']
  const args = ['-c', `${script}; exec "$@"`, 'sh', process.execPath, BIN, ...flags]
  return run('sh', args, { cwd: site.folder })
}
