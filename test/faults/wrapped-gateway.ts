import { fileURLToPath } from 'node:url'
import type { Site } from '../support/gateway.ts'
import { type Running, run } from '../support/processes.ts'

const BIN = fileURLToPath(new URL('../../packages/gateway/bin/hintgate.js', import.meta.url))

/** `hintgate serve` started by a shell script that first sets limits, which the gateway inherits. */
export function serveAfter(script: string, site: Site): Running {
  const flags = ['serve', ...site.flags, '--listen', '127.0.0.1:0']
  const args = ['-c', `${script}; exec "$@"`, 'sh', process.execPath, BIN, ...flags]
  return run('sh', args, { cwd: site.folder })
}
